package dev.quickwater.microbench.e2e.server;

import dev.quickwater.system.Memory;

/// Counts the ends of request heads (`CR LF CR LF`) in a stream that comes in pieces.
///
/// Looks for CR in eight bytes at a time and, where there is one, at the four bytes from there;
/// measured, this is as fast as the search byte by byte in C. `bare.c` has the same search.
final class BlankLines {

  private static final int CR = '\r';
  private static final int LF = '\n';
  private static final int BLANK_LINE = 0x0a0d0a0d;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = ONES << 7;
  private static final long CRS = ONES * CR;

  /// A CR in the last place of a word needs three bytes more.
  private static final int WINDOW = 8 + 3;

  /// The number of blank lines that ended in the last piece.
  private int count;

  int count() {
    return count;
  }

  /// Scans a piece; `state` is what the call for the piece before returned, at first 0: how many
  /// bytes of the pattern the stream ends with.
  int scan(long address, int length, int state) {
    int found = 0;
    int i = 0;
    int matched = state;
    while (matched > 0 && i < length) {
      matched = step(matched, Memory.getByte(address, i++));
      if (matched == 4) {
        found++;
        matched = 0;
      }
    }
    int next = i;
    for (; i <= length - WINDOW; i += 8) {
      long difference = Memory.getLongLE(address, i) ^ CRS;
      long marks = (difference - ONES) & ~difference & HIGH_BITS;
      while (marks != 0) {
        int at = i + (Long.numberOfTrailingZeros(marks) >>> 3);
        if (at >= next && Memory.getIntLE(address, at) == BLANK_LINE) {
          found++;
          next = at + 4;
        }
        marks &= marks - 1;
      }
    }
    for (i = Math.max(i, next); i < length; i++) {
      matched = step(matched, Memory.getByte(address, i));
      if (matched == 4) {
        found++;
        matched = 0;
      }
    }
    count = found;
    return matched;
  }

  private static int step(int matched, int b) {
    if (b == CR) {
      return matched == 2 ? 3 : 1;
    }
    if (b == LF) {
      return matched == 1 ? 2 : matched == 3 ? 4 : 0;
    }
    return 0;
  }
}
