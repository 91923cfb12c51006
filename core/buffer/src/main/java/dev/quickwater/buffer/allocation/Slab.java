package dev.quickwater.buffer.allocation;

import java.util.BitSet;

/// A mapping of 16 MiB of address space, handed out in runs of units. Guarded by the lock of its
/// source. Nothing here allocates after construction.
///
/// The system backs a unit with memory when the unit is first touched. The bits in `used` are units
/// that are handed out; those in `idle` are returned units that still have their memory. Adjacent
/// free units join without further work, because runs are read from the bits. Two bounds on the
/// longest runs avoid searches that cannot succeed, because a process may have a thousand slabs.
final class Slab {

  static final int BYTES = 16 << 20;

  private static final int NONE = -1;

  private final int unit;
  private final int units;
  private final BitSet used;
  private final BitSet idle;
  private long address;
  private int idleUnits;

  /// An upper bound of the length of the longest run of idle units.
  private int longestIdle;

  /// An upper bound of the length of the longest run of free units.
  private int longestFree;

  Slab(int unit) {
    this.unit = unit;
    this.units = BYTES / unit;
    this.used = new BitSet(units);
    this.idle = new BitSet(units);
    this.longestFree = units;
  }

  /// Sets the address of the slab. Called once.
  void place(long at) {
    address = at;
  }

  /// Places a region on `count` adjacent idle units and marks them as used.
  boolean takeIdle(int count, Region region) {
    if (longestIdle < count) {
      return false;
    }
    int from = idle.nextSetBit(0);
    while (from != NONE) {
      int to = idle.nextClearBit(from);
      if (to - from >= count) {
        use(from, count, region);
        return true;
      }
      from = idle.nextSetBit(to);
    }
    longestIdle = count - 1;
    return false;
  }

  /// Places a region on `count` adjacent free units, idle or not, and marks them as used.
  boolean takeFree(int count, Region region) {
    if (longestFree < count) {
      return false;
    }
    int from = used.nextClearBit(0);
    while (from + count <= units) {
      int to = used.nextSetBit(from);
      if (to == NONE || to - from >= count) {
        use(from, count, region);
        return true;
      }
      from = used.nextClearBit(to);
    }
    longestFree = count - 1;
    return false;
  }

  private void use(int from, int count, Region region) {
    markUsed(from, from + count);
    region.address = address + (long) from * unit;
    region.slab = this;
  }

  private void markUsed(int from, int to) {
    used.set(from, to);
    for (int i = idle.nextSetBit(from); i != NONE && i < to; i = idle.nextSetBit(i + 1)) {
      idle.clear(i);
      idleUnits--;
    }
  }

  /// Returns the units of a region; they become idle.
  void release(Region region) {
    unclaim((int) ((region.address - address) / unit), region.length / unit, true);
  }

  /// Makes used units free.
  ///
  /// @param idles true if the units still have their memory
  void unclaim(int from, int count, boolean idles) {
    used.clear(from, from + count);
    int begin = used.previousSetBit(from) + 1;
    int end = used.nextSetBit(from);
    longestFree = Math.max(longestFree, (end == NONE ? units : end) - begin);
    if (idles) {
      idle.set(from, from + count);
      idleUnits += count;
      begin = idle.previousClearBit(from) + 1;
      longestIdle = Math.max(longestIdle, idle.nextClearBit(from) - begin);
    }
  }

  int idleBytes() {
    return idleUnits * unit;
  }

  /// Marks at most `max` units of the first idle run as used, so that their memory can be discarded
  /// without the lock.
  ///
  /// @return the first unit in the upper half and the number of units in the lower half; 0 when no
  ///   unit is idle
  long claimIdle(int max) {
    int from = idle.nextSetBit(0);
    if (from == NONE) {
      return 0;
    }
    int to = Math.min(idle.nextClearBit(from), from + max);
    markUsed(from, to);
    return (long) from << Integer.SIZE | to - from;
  }

  /// The address of a unit.
  long addressOf(int index) {
    return address + (long) index * unit;
  }
}
