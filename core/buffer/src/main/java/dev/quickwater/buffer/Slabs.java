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

  private static final System.Logger LOG = System.getLogger(Slabs.class.getName());
  private static final AtomicLong RESERVED = new AtomicLong();

  /// Native ranges that came back, by size class.
  private static final ArrayDeque<Long>[] FREE_RANGES = newLists();

  private Slabs() {}

  /// Bytes reserved by all heaps: slabs, and huge blocks in use.
  static long reserved() {
    return RESERVED.get();
  }

  static long mapSlab() {
    return map(SLAB);
  }

  /// A new array of zeros; the caller calls [#unreserve] when it drops it.
  static byte[] newArray(int length) {
    reserve(length);
    try {
      return new byte[length];
    } catch (Throwable t) {
      unreserve(length);
      throw t;
    }
  }

  /// A native range as large as a size class, from those that came back or from the system.
  static long mapRange(int sizeClass) {
    ArrayDeque<Long> free = FREE_RANGES[sizeClass - SizeClasses.POOLED];
    int length = SizeClasses.capacity(sizeClass);
    @Nullable Long range;
    synchronized (free) {
      range = free.pollLast();
    }
    if (range == null) {
      return map(length);
    }
    try {
      reserve(length);
    } catch (Throwable t) {
      keep(range, sizeClass);
      throw t;
    }
    return range;
  }

  /// Gives a range's memory back to the system and keeps its addresses for another use. Where the
  /// system refuses, because the process has locked its memory, the range just stays resident.
  static void returnRange(long address, int sizeClass) {
    int length = SizeClasses.capacity(sizeClass);
    try {
      Pages.discard(address, length);
    } catch (IllegalArgumentException e) {
      LOG.log(System.Logger.Level.DEBUG, "a range stays resident", e);
    }
    keep(address, sizeClass);
    unreserve(length);
  }

  private static void keep(long address, int sizeClass) {
    ArrayDeque<Long> free = FREE_RANGES[sizeClass - SizeClasses.POOLED];
    synchronized (free) {
      free.addLast(address);
    }
  }

  private static long map(int length) {
    reserve(length);
    try {
      return Pages.map(length);
    } catch (Throwable t) {
      unreserve(length);
      throw t;
    }
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
    ArrayDeque<Long>[] lists = new ArrayDeque[SizeClasses.COUNT - SizeClasses.POOLED];
    for (int i = 0; i < lists.length; i++) {
      lists[i] = new ArrayDeque<>();
    }
    return lists;
  }
}
