package dev.quickwater.buffer;

import dev.quickwater.system.Pages;
import dev.quickwater.system.Settings;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Where heaps get their memory: mappings that are never unmapped, or arrays. Counts what is
/// reserved in the process and refuses to go over the limit.
final class Slabs {

  /// One slab: large enough that carving is rare, small enough for a process with a single loop.
  static final int SLAB = 1 << 20;

  private static final AtomicLong RESERVED = new AtomicLong();

  /// Native ranges that came back, by the logarithm of their length.
  private static final ArrayDeque<Long>[] FREE_RANGES = newLists();

  private Slabs() {}

  /// Bytes reserved by all heaps: slabs, and huge blocks in use.
  static long reserved() {
    return RESERVED.get();
  }

  static long mapSlab() {
    reserve(SLAB);
    return Pages.map(SLAB);
  }

  static byte[] newArray(int length) {
    reserve(length);
    return new byte[length];
  }

  /// A native range of a power of two, from those that came back or from the system.
  static long mapRange(int length) {
    reserve(length);
    ArrayDeque<Long> free = FREE_RANGES[Integer.numberOfTrailingZeros(length)];
    @Nullable Long range;
    synchronized (free) {
      range = free.pollLast();
    }
    return range != null ? range : Pages.map(length);
  }

  /// Gives a range's memory back to the system and keeps its addresses for another use.
  static void returnRange(long address, int length) {
    Pages.discard(address, length);
    ArrayDeque<Long> free = FREE_RANGES[Integer.numberOfTrailingZeros(length)];
    synchronized (free) {
      free.addLast(address);
    }
    unreserve(length);
  }

  static void unreserve(int length) {
    RESERVED.addAndGet(-length);
  }

  private static void reserve(int length) {
    long after = RESERVED.addAndGet(length);
    if (after > Settings.NATIVE_MEMORY_LIMIT) {
      RESERVED.addAndGet(-length);
      throw new OutOfMemoryError(
          "buffers hold "
              + (after - length)
              + " bytes and need "
              + length
              + " more; the limit is "
              + Settings.NATIVE_MEMORY_LIMIT
              + " (-Ddev.quickwater.nativeMemoryLimit)");
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ArrayDeque<Long>[] newLists() {
    ArrayDeque<Long>[] lists = new ArrayDeque[32];
    for (int i = 0; i < lists.length; i++) {
      lists[i] = new ArrayDeque<>();
    }
    return lists;
  }
}
