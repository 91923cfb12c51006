package dev.quickwater.microbench.e2e.server;

import dev.quickwater.system.Memory;

/// Counts the ends of request heads (`CR LF CR LF`) in a stream that comes in pieces.
///
/// Looks at the last byte of a window of four and leaps over the window when that byte is neither
/// CR nor LF, so most bytes are never read. `bare.c` has the same search.
final class BlankLines {

  private static final int CR = '\r';
  private static final int LF = '\n';

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
    int last = i + 3;
    while (last < length) {
      int b = Memory.getByte(address, last);
      if (b > CR) {
        last += 4;
      } else if (b == CR) {
        last++;
      } else if (b != LF) {
        last += 4;
      } else if (Memory.getByte(address, last - 1) == CR
          && Memory.getByte(address, last - 2) == LF
          && Memory.getByte(address, last - 3) == CR) {
        found++;
        last += 4;
      } else {
        last += 2;
      }
    }
    for (i = last - 3; i < length; i++) {
      matched = step(matched, Memory.getByte(address, i));
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
