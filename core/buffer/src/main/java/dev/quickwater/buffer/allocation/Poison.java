package dev.quickwater.buffer.allocation;

import dev.quickwater.buffer.memory.Raw;
import dev.quickwater.common.LeakTracker;
import dev.quickwater.system.Memory;
import java.util.Arrays;

/// Detects writes to free memory, by native code or through a bare view. At the paranoid level,
/// free blocks are filled with a pattern, which is checked when the block is used again. Blocks
/// over 128 KiB, which do not share pages, are not filled.
final class Poison {

  /// A constant: the compiler removes the checks at other levels.
  static final boolean ON = LeakTracker.LEVEL == LeakTracker.Level.PARANOID;

  private static final byte PATTERN = (byte) 0xdb;

  private Poison() {}

  static void fill(Page page, int index) {
    int length = page.blockSize;
    byte[] array = page.array;
    long address = page.addressOf(index);
    if (array != null) {
      int from = (int) address;
      Arrays.fill(array, from, from + length, PATTERN);
    } else {
      Memory.fill(address, length, PATTERN);
    }
  }

  /// @throws IllegalStateException if the block was written since [#fill]
  static void check(Page page, int index) {
    int length = page.blockSize;
    long address = page.addressOf(index);
    for (int i = 0; i < length; i++) {
      byte found = Raw.getByte(page.array, address, i);
      if (found != PATTERN) {
        throw new IllegalStateException(
            "memory was written after its release: byte %d of a block of %d bytes is 0x%02x"
                .formatted(i, length, found));
      }
    }
  }
}
