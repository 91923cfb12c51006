package dev.quickwater.buffer;

import dev.quickwater.system.Pages;
import java.util.BitSet;

/// A mapping of 16 MiB of address space, handed out in runs of units. Guarded by its source's lock.
///
/// The system gives memory to a unit when it is first touched. `used` are units handed out; `idle`
/// are units that came back and still have their memory. Which neighbours are free is read off the
/// bits, so that runs join without further ado.
final class Slab {

  static final int BYTES = 16 << 20;

  private static final int UNITS = BYTES / PageSource.UNIT;
  private static final int NONE = -1;

  private final long address;
  private final BitSet used = new BitSet(UNITS);
  private final BitSet idle = new BitSet(UNITS);
  private int free = UNITS;
  private int idleUnits;

  Slab(long address) {
    this.address = address;
  }

  boolean contains(long at) {
    return at >= address && at < address + BYTES;
  }

  /// The address of `units` idle units in a row, now used, or 0.
  long takeIdle(int units) {
    if (idleUnits < units) {
      return 0;
    }
    int from = idle.nextSetBit(0);
    while (from != NONE) {
      int to = idle.nextClearBit(from);
      if (to - from >= units) {
        return use(from, units);
      }
      from = idle.nextSetBit(to);
    }
    return 0;
  }

  /// The address of `units` free units in a row, idle or not, now used, or 0.
  long takeFree(int units) {
    if (free < units) {
      return 0;
    }
    int from = used.nextClearBit(0);
    while (from + units <= UNITS) {
      int to = used.nextSetBit(from);
      if (to == NONE || to - from >= units) {
        return use(from, units);
      }
      from = used.nextClearBit(to);
    }
    return 0;
  }

  private long use(int from, int units) {
    used.set(from, from + units);
    for (int i = from; i < from + units; i++) {
      if (idle.get(i)) {
        idle.clear(i);
        idleUnits--;
      }
    }
    free -= units;
    return address + (long) from * PageSource.UNIT;
  }

  /// Takes units back; they are idle then.
  void give(long at, int units) {
    int from = (int) ((at - address) / PageSource.UNIT);
    used.clear(from, from + units);
    idle.set(from, from + units);
    free += units;
    idleUnits += units;
  }

  int idleBytes() {
    return idleUnits * PageSource.UNIT;
  }

  /// Gives the memory of all idle units back to the system.
  ///
  /// @throws IllegalArgumentException if the system refuses; what is left stays idle
  void discardIdle() {
    int from;
    while ((from = idle.nextSetBit(0)) != NONE) {
      int to = idle.nextClearBit(from);
      long length = (long) (to - from) * PageSource.UNIT;
      Pages.discard(address + (long) from * PageSource.UNIT, length);
      idle.clear(from, to);
      idleUnits -= to - from;
    }
  }
}
