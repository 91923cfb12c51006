package dev.quickwater.buffer.allocation;

import org.jspecify.annotations.Nullable;

/// Regions that are arrays. Idle ones are kept by length, because the platform zeroes a new array.
public final class ArrayPages implements PageSource {

  public static final ArrayPages IT = new ArrayPages();

  /// Lists of idle regions; must be a power of two.
  private static final int LISTS = 64;

  /// Idle regions, by the hash of their length.
  private final @Nullable Region[] kept = new @Nullable Region[LISTS];

  private long inUse;
  private long idle;

  /// The minimum of the idle bytes since the last [#trimUnused].
  private long unused;

  private ArrayPages() {}

  @Override
  public Region take(int bytes, @Nullable Heap driven) {
    @Nullable Region region = pollKept(bytes);
    if (region != null) {
      return region;
    }
    makeRoom(bytes);
    MemoryLimit.reserve(bytes, driven);
    try {
      region = new Region(new byte[bytes]);
    } finally {
      if (region == null) {
        MemoryLimit.unreserve(bytes);
      }
    }
    count(bytes);
    MemoryEvents.slab(false, bytes);
    return region;
  }

  /// An idle array cannot serve a request of another length, so idle arrays are dropped first.
  private synchronized void makeRoom(int bytes) {
    drop(Math.max(0, idle - bytes));
  }

  private static int list(int bytes) {
    return bytes / UNIT & LISTS - 1;
  }

  private synchronized @Nullable Region pollKept(int bytes) {
    int list = list(bytes);
    @Nullable Region before = null;
    for (Region region = kept[list]; region != null; region = region.next) {
      if (region.length == bytes) {
        if (before == null) {
          kept[list] = region.next;
        } else {
          before.next = region.next;
        }
        region.next = null;
        idle -= bytes;
        unused = Math.min(unused, idle);
        inUse += bytes;
        return region;
      }
      before = region;
    }
    return null;
  }

  private synchronized void count(int bytes) {
    inUse += bytes;
  }

  @Override
  public synchronized void release(Region region) {
    int list = list(region.length);
    region.next = kept[list];
    kept[list] = region;
    inUse -= region.length;
    idle += region.length;
    drop(Math.max(IDLE_KEPT, inUse / 4));
  }

  /// Leaves idle arrays to the garbage collector until at most `keep` bytes are idle.
  private void drop(long keep) {
    for (int list = 0; list < LISTS && idle > keep; list++) {
      Region region;
      while (idle > keep && (region = kept[list]) != null) {
        kept[list] = region.next;
        idle -= region.length;
        MemoryLimit.unreserve(region.length);
      }
    }
    unused = Math.min(unused, idle);
  }

  @Override
  public synchronized void trim() {
    drop(0);
  }

  @Override
  public synchronized void trimUnused() {
    drop(idle - unused);
    unused = idle;
  }

  /// Bytes of arrays that no heap uses.
  public synchronized long idle() {
    return idle;
  }

  @Override
  public synchronized boolean hasIdle() {
    return idle > 0;
  }

  @Override
  public synchronized long reserved() {
    return inUse + idle;
  }
}
