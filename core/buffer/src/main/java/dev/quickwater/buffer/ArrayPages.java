package dev.quickwater.buffer;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Regions that are arrays. Idle ones are kept by length, because the platform zeroes a new array.
final class ArrayPages implements PageSource {

  static final ArrayPages IT = new ArrayPages();

  private final Map<Integer, ArrayDeque<byte[]>> kept = new HashMap<>();
  private long inUse;
  private long idle;

  private ArrayPages() {}

  @Override
  public Region take(int bytes) {
    byte @Nullable [] array = pollKept(bytes);
    if (array == null) {
      makeRoom(bytes);
      MemoryLimit.reserve(bytes);
      try {
        array = new byte[bytes];
      } catch (Throwable t) {
        MemoryLimit.unreserve(bytes);
        throw t;
      }
      MemoryEvents.slab(false, bytes);
      count(bytes);
    }
    return new Region(array, 0, bytes);
  }

  /// An idle array cannot be a part of another length, so that it goes when a new one comes.
  private synchronized void makeRoom(int bytes) {
    drop(Math.max(0, idle - bytes));
  }

  private synchronized byte @Nullable [] pollKept(int bytes) {
    @Nullable ArrayDeque<byte[]> arrays = kept.get(bytes);
    byte @Nullable [] array = arrays == null ? null : arrays.pollLast();
    if (array != null) {
      idle -= bytes;
      inUse += bytes;
    }
    return array;
  }

  private synchronized void count(int bytes) {
    inUse += bytes;
  }

  @Override
  public synchronized void give(Region region) {
    byte[] array = java.util.Objects.requireNonNull(region.array());
    kept.computeIfAbsent(array.length, _ -> new ArrayDeque<>()).addLast(array);
    inUse -= array.length;
    idle += array.length;
    drop(Math.max(IDLE_KEPT, inUse / 4));
  }

  /// Leaves arrays to the collector until at most `keep` bytes are idle, the largest lengths as
  /// they come.
  private void drop(long keep) {
    Iterator<ArrayDeque<byte[]>> lengths = kept.values().iterator();
    while (idle > keep && lengths.hasNext()) {
      ArrayDeque<byte[]> arrays = lengths.next();
      byte @Nullable [] array;
      while (idle > keep && (array = arrays.pollFirst()) != null) {
        idle -= array.length;
        MemoryLimit.unreserve(array.length);
      }
    }
  }

  @Override
  public synchronized void trim() {
    drop(0);
  }

  @Override
  public synchronized long reserved() {
    return inUse + idle;
  }
}
