package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// A stretch of memory that a [PageSource] has handed out.
final class Region {

  private final byte @Nullable [] array;
  private final long address;
  private final int length;

  /// With `array` null `address` is native; otherwise it is 0, the array being all the region's.
  Region(byte @Nullable [] array, long address, int length) {
    this.array = array;
    this.address = address;
    this.length = length;
  }

  byte @Nullable [] array() {
    return array;
  }

  long address() {
    return address;
  }

  int length() {
    return length;
  }
}
