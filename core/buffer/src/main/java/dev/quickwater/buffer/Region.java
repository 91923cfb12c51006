package dev.quickwater.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A stretch of memory that a [PageSource] hands out, and the link of the source's lists while it
/// is idle: returning a region allocates nothing.
///
/// A region is made before its memory is taken, so that no memory is lost when the Java heap is
/// full.
final class Region {

  private static final AtomicInteger ARRAYS = new AtomicInteger();

  /// Null for native memory.
  byte @Nullable [] array;

  /// The native address. For an array a number in the upper half that no other region has, and 0 in
  /// the lower: an address tells which region it is in, and its lower half is the offset.
  long address;

  /// Bytes; of an idle mapping those that have memory.
  int length;

  /// The slab that the region is a part of, if it is.
  @Nullable Slab slab;

  /// Which list of mappings it belongs to, where it is a mapping.
  int mappingClass;

  /// The next one in a list of its source.
  @Nullable Region next;

  /// Native memory that is still to be placed.
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
