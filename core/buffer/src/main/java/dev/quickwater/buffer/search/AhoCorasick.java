package dev.quickwater.buffer.search;

import dev.quickwater.buffer.memory.Raw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Searches for several needles at once. The state is the longest prefix of any needle that matches
/// the end of the input. It is stored as the start of its row in the transition table. The table
/// has no gaps: each byte of input takes one lookup.
final class AhoCorasick extends Needle {

  private static final int ROW = 256;

  /// The maximum number of rows of 256 entries in one array.
  private static final int MAX_STATES = 1 << 20;

  private static final int NONE = -1;

  /// The next state by state and byte; its complement if a needle ends there.
  private final int[] next;

  /// By row number, the needle that ends there.
  private final int[] ends;

  AhoCorasick(byte[][] needles) {
    super(needles);
    List<int[]> rows = new ArrayList<>();
    rows.add(emptyRow());
    int[] endOfRow = trie(needles, rows);
    this.ends = endOfRow;
    this.next = complete(rows, endOfRow);
  }

  private static int[] emptyRow() {
    int[] row = new int[ROW];
    Arrays.fill(row, NONE);
    return row;
  }

  private static int[] trie(byte[][] needles, List<int[]> rows) {
    int[] endOfRow = {NONE};
    for (int n = 0; n < needles.length; n++) {
      int state = 0;
      for (byte value : needles[n]) {
        int[] row = rows.get(state);
        int to = row[value & 0xff];
        if (to == NONE) {
          to = rows.size();
          requireRoom(to);
          row[value & 0xff] = to;
          rows.add(emptyRow());
          if (to == endOfRow.length) {
            endOfRow = Arrays.copyOf(endOfRow, 2 * to);
            Arrays.fill(endOfRow, to, 2 * to, NONE);
          }
        }
        state = to;
      }
      if (endOfRow[state] == NONE) {
        endOfRow[state] = n;
      }
    }
    return Arrays.copyOf(endOfRow, rows.size());
  }

  static void requireRoom(int states) {
    if (states >= MAX_STATES) {
      throw new IllegalArgumentException(
          "the needles have together more than " + (MAX_STATES - 1) + " bytes");
    }
  }

  /// Fills the gaps, breadth first. A missing transition equals that of the longest proper suffix
  /// of the state, whose row is shorter and therefore complete.
  private static int[] complete(List<int[]> rows, int[] endOfRow) {
    int[] suffix = new int[rows.size()];
    int[] queue = new int[rows.size()];
    int head = 0;
    int tail = 1;
    while (head < tail) {
      int state = queue[head++];
      int[] row = rows.get(state);
      for (int b = 0; b < ROW; b++) {
        int beside = state == 0 ? 0 : rows.get(suffix[state])[b];
        int to = row[b];
        if (to == NONE) {
          row[b] = beside;
        } else {
          suffix[to] = beside;
          if (endOfRow[to] == NONE) {
            endOfRow[to] = endOfRow[beside];
          }
          queue[tail++] = to;
        }
      }
    }
    int[] table = new int[rows.size() * ROW];
    for (int state = 0; state < rows.size(); state++) {
      int[] row = rows.get(state);
      for (int b = 0; b < ROW; b++) {
        int to = row[b] * ROW;
        table[state * ROW + b] = endOfRow[row[b]] == NONE ? to : ~to;
      }
    }
    return table;
  }

  @Override
  long start() {
    return 0;
  }

  @Override
  int scan(ByteSearch search, byte @Nullable [] array, long address, int from, int to) {
    int[] table = next;
    int state = (int) search.state;
    int lastWord = to - Long.BYTES;
    int index = from;
    for (; index <= lastWord; index += Long.BYTES) {
      if (state == 0) {
        index = keys.skip(array, address, index, to);
        if (index > lastWord) {
          break;
        }
      }
      long word = Raw.getWord(array, address, index);
      for (int i = 1; i <= Long.BYTES; i++, word >>>= 8) {
        state = table[state + ((int) word & 0xff)];
        if (state < 0) {
          return matched(search, ~state, from, index + i);
        }
      }
    }
    while (index < to) {
      state = table[state + (Raw.getByte(array, address, index++) & 0xff)];
      if (state < 0) {
        return matched(search, ~state, from, index);
      }
    }
    search.state = state;
    search.work += to - from;
    return -1;
  }

  private int matched(ByteSearch search, int state, int from, int end) {
    search.state = state;
    search.found = ends[state / ROW];
    search.work += end - from;
    return end;
  }
}
