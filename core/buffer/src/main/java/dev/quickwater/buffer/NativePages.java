package dev.quickwater.buffer;

import dev.quickwater.system.Pages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Native memory: runs of units in slabs that are mapped once and **never unmapped**, so that a
/// thread which races a release cannot fault.
///
/// A region over [#LARGEST_RUN] has a mapping of its own, whose size is rounded up to a size class
/// of the address space so that it can be used again.
final class NativePages implements PageSource {

  static final NativePages IT = new NativePages();

  /// A longer run would hardly find room in a slab that is in use.
  private static final int LARGEST_RUN = Slab.BYTES / 4;

  /// From here on a region is worth returning idle memory for.
  private static final int BIG = 1 << 20;

  private static final System.Logger LOG = System.getLogger(NativePages.class.getName());

  private final List<Slab> slabs = new ArrayList<>();

  /// Mappings without memory, by their length.
  private final Map<Long, ArrayDeque<Long>> mappings = new HashMap<>();

  /// Mappings that came back and still have their memory; few, since there is a limit to it.
  private final List<Region> idleMappings = new ArrayList<>();

  private long inUse;
  private long idle;

  /// The system has refused to take memory back, as it does while a process locks its memory.
  private boolean refused;

  private NativePages() {}

  @Override
  public Region take(int bytes) {
    if (bytes > LARGEST_RUN) {
      return takeMapping(bytes);
    }
    int units = bytes / UNIT;
    long address = takeIdle(units);
    if (address == 0) {
      makeRoom(bytes);
      MemoryLimit.reserve(bytes);
      try {
        address = takeFree(units);
      } catch (Throwable t) {
        MemoryLimit.unreserve(bytes);
        throw t;
      }
    }
    return new Region(null, address, bytes);
  }

  /// Returns idle memory before much more is reserved: what it takes to touch that anew is little
  /// beside what it takes to fill the new.
  private void makeRoom(int bytes) {
    if (bytes >= BIG) {
      trim();
    }
  }

  private synchronized long takeIdle(int units) {
    if (idle >= (long) units * UNIT) {
      for (Slab slab : slabs) {
        long address = slab.takeIdle(units);
        if (address != 0) {
          idle -= (long) units * UNIT;
          inUse += (long) units * UNIT;
          return address;
        }
      }
    }
    return 0;
  }

  private synchronized long takeFree(int units) {
    for (Slab slab : slabs) {
      int before = slab.idleBytes();
      long address = slab.takeFree(units);
      if (address != 0) {
        int reused = before - slab.idleBytes();
        MemoryLimit.unreserve(reused);
        idle -= reused;
        inUse += (long) units * UNIT;
        return address;
      }
    }
    Slab slab = new Slab(AddressSpace.IT.take(Slab.BYTES));
    MemoryEvents.slab(true, Slab.BYTES);
    slabs.add(slab);
    inUse += (long) units * UNIT;
    return slab.takeFree(units);
  }

  @Override
  public void give(Region region) {
    if (region.length() > LARGEST_RUN) {
      giveMapping(region);
    } else {
      giveRun(region);
    }
  }

  private synchronized void giveRun(Region region) {
    for (Slab slab : slabs) {
      if (slab.contains(region.address())) {
        slab.give(region.address(), region.length() / UNIT);
        break;
      }
    }
    inUse -= region.length();
    idle += region.length();
    trimExcess();
  }

  private void trimExcess() {
    if (idle > Math.max(IDLE_KEPT, inUse / 4) && !refused) {
      trim();
    }
  }

  @Override
  public synchronized void trim() {
    discardIdleMappings();
    try {
      for (Slab slab : slabs) {
        int before = slab.idleBytes();
        try {
          slab.discardIdle();
        } finally {
          int discarded = before - slab.idleBytes();
          idle -= discarded;
          MemoryLimit.unreserve(discarded);
        }
      }
    } catch (IllegalArgumentException e) {
      refused = true;
      LOG.log(System.Logger.Level.DEBUG, "idle memory stays resident", e);
    }
  }

  private Region takeMapping(int bytes) {
    long length = mappingLength(bytes);
    @Nullable Region kept = pollIdleMapping(length);
    if (kept != null) {
      return resize(kept, bytes);
    }
    makeRoom(bytes);
    MemoryLimit.reserve(bytes);
    @Nullable Long address = pollMapping(length);
    if (address == null) {
      try {
        address = AddressSpace.IT.take(length);
      } catch (Throwable t) {
        MemoryLimit.unreserve(bytes);
        throw t;
      }
    }
    use(bytes);
    return new Region(null, address, bytes);
  }

  /// The quarter of a doubling that holds `bytes`.
  private static long mappingLength(int bytes) {
    int quarter = Integer.highestOneBit(bytes - 1) >>> 2;
    return (bytes + quarter - 1L) / quarter * quarter;
  }

  private synchronized @Nullable Long pollMapping(long length) {
    @Nullable ArrayDeque<Long> free = mappings.get(length);
    return free == null ? null : free.pollLast();
  }

  /// A mapping that still has its memory; it is neither idle nor in use then.
  private synchronized @Nullable Region pollIdleMapping(long length) {
    for (int i = idleMappings.size() - 1; i >= 0; i--) {
      Region region = idleMappings.get(i);
      if (mappingLength(region.length()) == length) {
        idleMappings.remove(i);
        idle -= region.length();
        return region;
      }
    }
    return null;
  }

  private Region resize(Region kept, int bytes) {
    int more = bytes - kept.length();
    if (more > 0) {
      try {
        MemoryLimit.reserve(more);
      } catch (Throwable t) {
        keepIdle(kept);
        throw t;
      }
    } else if (more < 0) {
      discard(kept.address() + bytes, -more);
      MemoryLimit.unreserve(-more);
    }
    use(bytes);
    return new Region(null, kept.address(), bytes);
  }

  private synchronized void use(int bytes) {
    inUse += bytes;
  }

  private synchronized void giveMapping(Region region) {
    inUse -= region.length();
    keepIdle(region);
    trimExcess();
  }

  private synchronized void keepIdle(Region region) {
    idleMappings.add(region);
    idle += region.length();
  }

  /// Returns the memory of idle mappings and keeps their addresses.
  private synchronized void discardIdleMappings() {
    for (Region region : idleMappings) {
      discard(region.address(), region.length());
      mappings
          .computeIfAbsent(mappingLength(region.length()), _ -> new ArrayDeque<>())
          .addLast(region.address());
      idle -= region.length();
      MemoryLimit.unreserve(region.length());
    }
    idleMappings.clear();
  }

  /// Where the system refuses, as it does while a process locks its memory, a mapping just stays
  /// resident.
  private static void discard(long address, int length) {
    try {
      Pages.discard(address, length);
    } catch (IllegalArgumentException e) {
      LOG.log(System.Logger.Level.DEBUG, "a mapping stays resident", e);
    }
  }

  @Override
  public synchronized long reserved() {
    return inUse + idle;
  }
}
