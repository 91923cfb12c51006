package dev.quickwater.buffer.allocation;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A range of memory that a [PageSource] hands out. While it is idle, it is also the link in the
/// lists of the source, so returning a region allocates nothing.
///
/// A region is created before its memory is taken, so that a full Java heap loses no memory.
public final class Region {

  private static final AtomicInteger ARRAYS = new AtomicInteger();

  /// Null for native memory.
  byte @Nullable [] array;

  /// The native address. For an array, the upper half is a number that is unique to the region, and
  /// the lower half is 0. An address thus identifies its region, and the lower half of an address
  /// is the offset.
  long address;

  /// The length in bytes; for an idle mapping, the length of the part that has memory.
  int length;

  /// The slab that contains the region, or null.
  @Nullable Slab slab;

  /// The list of mappings that the region belongs to, if it is a mapping.
  int mappingClass;

  /// The next region in a list of the source.
  @Nullable Region next;

  /// Native memory without an address.
  Region(int length) {
    this.length = length;
  }

  /// A whole array.
  Region(byte[] array) {
    this.array = array;
    this.address = (long) ARRAYS.incrementAndGet() << Integer.SIZE;
    this.length = array.length;
  }
}
