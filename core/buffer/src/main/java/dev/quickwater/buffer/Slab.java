package dev.quickwater.buffer;

import java.util.BitSet;

/// A mapping of 16 MiB of address space, handed out in runs of units. Guarded by its source's lock;
/// nothing here allocates after construction.
///
/// The system gives memory to a unit when it is first touched. `used` are units handed out; `idle`
/// are units that were given back and still have their memory. Which neighbours are free is read
/// off the bits, so that runs join without further work. Two bounds on the longest runs spare the
/// searches that cannot succeed: a process may have a thousand slabs.
final class Slab {

  static final int BYTES = 16 << 20;

  private static final int NONE = -1;

  private final int unit;
  private final int units;
  private final BitSet used;
  private final BitSet idle;
  private long address;
  private int idleUnits;

  /// No run of idle units is longer than this.
  private int longestIdle;

  /// No run of free units is longer than this.
  private int longestFree;

  Slab(int unit) {
    this.unit = unit;
    this.units = BYTES / unit;
    this.used = new BitSet(units);
    this.idle = new BitSet(units);
    this.longestFree = units;
  }

  /// Sets where it is, once.
  void place(long at) {
    address = at;
  }

  /// Places a region of `count` units on idle units in a row, which are used then.
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

  /// Places a region of `count` units on free units in a row, idle or not, which are used then.
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

  /// Takes the units of a region back; they are idle then.
  void give(Region region) {
    unclaim((int) ((region.address - address) / unit), region.length / unit, true);
  }

  /// Makes used units free.
  ///
  /// @param idles whether they still have their memory
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

  /// Marks the first idle run as used, at most `most` units of it, so that its memory can be
  /// returned without the lock.
  ///
  /// @return the first unit in the upper half and how many in the lower; 0 when nothing is idle
  long claimIdle(int most) {
    int from = idle.nextSetBit(0);
    if (from == NONE) {
      return 0;
    }
    int to = Math.min(idle.nextClearBit(from), from + most);
    markUsed(from, to);
    return (long) from << Integer.SIZE | to - from;
  }

  /// The address of a unit.
  long addressOf(int index) {
    return address + (long) index * unit;
  }
}
