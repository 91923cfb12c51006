package dev.quickwater.buffer.allocation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Native memory: runs of units in slabs that are mapped once and **never unmapped**. A thread that
/// races a release therefore cannot fault.
///
/// - A region over a quarter of a slab has a separate mapping. The size of a mapping is rounded up
///   to a size class of the address space, so that the mapping can be reused.
/// - **The only system call with the lock held** is mapping a slab. Memory returns to the system in
///   steps: a step is claimed under the lock, discarded without it, and free afterwards.
/// - A release returns at most [#STEP] of the excess. This bounds the delay of a thread that
///   releases a gigabyte.
public final class NativePages implements PageSource {

  public static final NativePages IT = new NativePages(AddressSpace.IT, UNIT);

  /// The maximum length of a run. A longer run would seldom find room in a slab that is in use.
  private static final int LARGEST_RUN = Slab.BYTES / 4;

  /// The minimum length of a region for which idle memory is returned first.
  private static final int BIG = 1 << 20;

  /// Bytes returned at a time: about 2 ms of work for the kernel.
  private static final int STEP = 32 << 20;

  /// Size classes of mappings: four for each doubling from [#LARGEST_RUN] to a gigabyte.
  private static final int MAPPING_CLASSES = 32;

  private static final int LARGEST_RUN_LOG = 22;

  /// After the system has refused to take memory back, the number of releases until the next
  /// attempt.
  private static final int PAUSES = 64;

  private final PageSystem system;
  private final int unit;

  private @Nullable Slab[] slabs = new @Nullable Slab[8];
  private int slabCount;

  /// Mappings without memory.
  private final @Nullable Region[] mappings = new @Nullable Region[MAPPING_CLASSES];

  /// Mappings that were released and still have memory; few, because idle memory has a limit.
  private @Nullable Region idleMappings;

  private long inUse;
  private long idle;

  /// Bytes that are being returned to the system.
  private long leaving;

  /// The minimum of the idle bytes since the last [#trimUnused].
  private long unused;

  /// The number of releases until the next attempt to return memory, after the system has refused
  /// it. The system refuses while the process locks its memory, and each attempt costs a system
  /// call.
  private int pauses;

  /// Native memory from `system`; `unit` is a multiple of its page size.
  NativePages(PageSystem system, int unit) {
    this.system = system;
    this.unit = unit;
  }

  @Override
  public Region take(int bytes, @Nullable Heap driven) {
    Region region = new Region(bytes);
    if (bytes > LARGEST_RUN) {
      takeMapping(region, driven);
      return region;
    }
    if (takeIdle(region)) {
      return region;
    }
    makeRoom(bytes);
    MemoryLimit.reserve(bytes, driven);
    boolean taken = false;
    try {
      takeFree(region);
      taken = true;
    } finally {
      if (!taken) {
        MemoryLimit.unreserve(bytes);
      }
    }
    return region;
  }

  /// Returns idle memory before much more is reserved. Touching the returned memory again later is
  /// cheap compared with filling the new memory.
  private void makeRoom(int bytes) {
    if (bytes >= BIG) {
      trim();
    }
  }

  private synchronized boolean takeIdle(Region region) {
    int units = region.length / unit;
    if (idle < region.length) {
      return false;
    }
    for (int i = 0; i < slabCount; i++) {
      if (slab(i).takeIdle(units, region)) {
        wasIdle(region.length);
        inUse += region.length;
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("NullAway") // the first slabCount elements are set
  private Slab slab(int index) {
    return slabs[index];
  }

  private void wasIdle(long bytes) {
    idle -= bytes;
    unused = Math.min(unused, idle);
  }

  private synchronized void takeFree(Region region) {
    int units = region.length / unit;
    for (int i = 0; i < slabCount; i++) {
      Slab slab = slab(i);
      int before = slab.idleBytes();
      if (slab.takeFree(units, region)) {
        int reused = before - slab.idleBytes();
        MemoryLimit.unreserve(reused);
        wasIdle(reused);
        inUse += region.length;
        return;
      }
    }
    Slab slab = addSlab();
    slab.takeFree(units, region);
    inUse += region.length;
  }

  /// Maps a slab. All allocations in the Java heap precede the mapping.
  private Slab addSlab() {
    Slab slab = new Slab(unit);
    if (slabCount == slabs.length) {
      slabs = Arrays.copyOf(slabs, 2 * slabCount);
    }
    slab.place(system.map(Slab.BYTES));
    slabs[slabCount] = slab;
    slabCount++;
    MemoryEvents.slab(true, Slab.BYTES);
    return slab;
  }

  @Override
  public void release(Region region) {
    releaseIdle(region);
    trimExcess();
  }

  private synchronized void releaseIdle(Region region) {
    inUse -= region.length;
    keepIdle(region);
  }

  private synchronized void keepIdle(Region region) {
    @Nullable Slab slab = region.slab;
    if (slab != null) {
      slab.release(region);
    } else {
      list(region);
    }
    idle += region.length;
  }

  // ---- returning memory to the system ----

  private void trimExcess() {
    long keep;
    synchronized (this) {
      keep = Math.max(IDLE_KEPT, inUse / 4);
      if (idle <= keep || pauses > 0 && --pauses > 0) {
        return;
      }
    }
    returnIdle(keep, STEP);
  }

  /// Bytes of native memory that no heap uses.
  public synchronized long idle() {
    return idle;
  }

  @Override
  public void trim() {
    returnIdle(0, Long.MAX_VALUE);
  }

  @Override
  public void trimUnused() {
    long keep;
    synchronized (this) {
      keep = idle - unused;
    }
    returnIdle(keep, 4L * STEP);
    synchronized (this) {
      unused = idle;
    }
  }

  /// Returns idle memory until `keep` bytes are left, `max` bytes were returned, or the system
  /// refuses.
  private void returnIdle(long keep, long max) {
    long left = max;
    long returned;
    while (left > 0
        && ((returned = returnMapping(keep, left)) > 0 || (returned = returnRun(keep, left)) > 0)) {
      MemoryLimit.unreserve(returned);
      left -= returned;
    }
  }

  /// The number of bytes to return in this step: whole units.
  private int step(long keep, long max) {
    long excess = Math.min(idle - keep, Math.min(max, STEP));
    return excess <= 0 ? 0 : (int) ((excess + unit - 1) / unit * unit);
  }

  /// Returns the end of an idle mapping.
  ///
  /// @return bytes, 0 if there is nothing to return or the system refuses
  private int returnMapping(long keep, long max) {
    Region mapping;
    int bytes;
    synchronized (this) {
      int step = step(keep, max);
      if (idleMappings == null || step == 0) {
        return 0;
      }
      mapping = idleMappings;
      idleMappings = mapping.next;
      bytes = Math.min(mapping.length, step);
      beginLeaving(bytes);
    }
    boolean returned = false;
    try {
      returned = discard(mapping.address + mapping.length - bytes, bytes);
    } finally {
      synchronized (this) {
        endLeaving(bytes, returned);
        mapping.length -= returned ? bytes : 0;
        list(mapping);
      }
    }
    return returned ? bytes : 0;
  }

  /// Returns a run of idle units.
  ///
  /// @return bytes, 0 if there is nothing to return or the system refuses
  private int returnRun(long keep, long max) {
    @Nullable Slab slab = null;
    long claim = 0;
    int bytes;
    synchronized (this) {
      int units = step(keep, max) / unit;
      for (int i = 0; i < slabCount && units > 0 && claim == 0; i++) {
        slab = slab(i);
        claim = slab.claimIdle(units);
      }
      bytes = (int) claim * unit;
      if (slab == null || bytes == 0) {
        return 0;
      }
      beginLeaving(bytes);
    }
    int from = (int) (claim >>> Integer.SIZE);
    boolean returned = false;
    try {
      returned = discard(slab.addressOf(from), bytes);
    } finally {
      synchronized (this) {
        endLeaving(bytes, returned);
        slab.unclaim(from, (int) claim, !returned);
      }
    }
    return returned ? bytes : 0;
  }

  private void beginLeaving(int bytes) {
    wasIdle(bytes);
    leaving += bytes;
  }

  private void endLeaving(int bytes, boolean returned) {
    leaving -= bytes;
    idle += returned ? 0 : bytes;
    pauses = returned ? 0 : PAUSES;
  }

  /// True if the system has taken the memory back.
  private boolean discard(long address, long length) {
    try {
      system.discard(address, length);
      return true;
    } catch (IllegalArgumentException e) {
      System.getLogger(NativePages.class.getName())
          .log(System.Logger.Level.DEBUG, "idle memory stays resident", e);
      return false;
    }
  }

  /// True while a thread is returning memory. That memory counts as reserved until the system has
  /// it.
  synchronized boolean isReturning() {
    return leaving > 0;
  }

  // ---- mappings ----

  private void takeMapping(Region region, @Nullable Heap driven) {
    int bytes = region.length;
    region.mappingClass = mappingClass(bytes);
    @Nullable Region kept = pollIdleMapping(region.mappingClass);
    if (kept != null) {
      resize(kept, region, driven);
      return;
    }
    makeRoom(bytes);
    MemoryLimit.reserve(bytes, driven);
    boolean taken = false;
    try {
      region.address = freeMapping(bytes);
      taken = true;
    } finally {
      if (!taken) {
        MemoryLimit.unreserve(bytes);
      }
    }
    use(bytes);
  }

  private long freeMapping(int bytes) {
    @Nullable Region free = pollMapping(mappingClass(bytes));
    return free == null ? system.map(mappingLength(bytes)) : free.address;
  }

  /// The quarter of a doubling that holds `bytes`.
  private static long mappingLength(int bytes) {
    int quarter = Integer.highestOneBit(bytes - 1) >>> 2;
    return (bytes + quarter - 1L) / quarter * quarter;
  }

  private static int mappingClass(int bytes) {
    int log = 31 - Integer.numberOfLeadingZeros(bytes - 1);
    return (log - LARGEST_RUN_LOG) * 4 + (bytes - 1 >>> log - 2 & 3);
  }

  /// Adds a mapping to the list of mappings that have memory, or to a list of those without.
  private void list(Region mapping) {
    if (mapping.length > 0) {
      mapping.next = idleMappings;
      idleMappings = mapping;
    } else {
      mapping.next = mappings[mapping.mappingClass];
      mappings[mapping.mappingClass] = mapping;
    }
  }

  private synchronized @Nullable Region pollMapping(int mappingClass) {
    @Nullable Region free = mappings[mappingClass];
    if (free != null) {
      mappings[mappingClass] = free.next;
      free.next = null;
    }
    return free;
  }

  /// Removes and returns a mapping that still has memory, which then counts as in use.
  private synchronized @Nullable Region pollIdleMapping(int mappingClass) {
    @Nullable Region before = null;
    for (Region region = idleMappings; region != null; region = region.next) {
      if (region.mappingClass == mappingClass) {
        if (before == null) {
          idleMappings = region.next;
        } else {
          before.next = region.next;
        }
        region.next = null;
        wasIdle(region.length);
        inUse += region.length;
        return region;
      }
      before = region;
    }
    return null;
  }

  /// Places a region on a mapping that is in use and may have another length.
  private void resize(Region kept, Region region, @Nullable Heap driven) {
    int more = region.length - kept.length;
    if (more > 0) {
      boolean reserved = false;
      try {
        MemoryLimit.reserve(more, driven);
        reserved = true;
      } finally {
        if (!reserved) {
          releaseIdle(kept);
        }
      }
      use(more);
    } else if (more < 0) {
      shrink(kept, -more);
      region.length = kept.length;
    }
    region.address = kept.address;
  }

  /// Returns the end of a mapping that is in use. The mapping keeps its length if the system
  /// refuses.
  private void shrink(Region mapping, int surplus) {
    synchronized (this) {
      inUse -= surplus;
      leaving += surplus;
    }
    boolean returned = false;
    try {
      returned = discard(mapping.address + mapping.length - surplus, surplus);
    } finally {
      synchronized (this) {
        leaving -= surplus;
        inUse += returned ? 0 : surplus;
        mapping.length -= returned ? surplus : 0;
      }
    }
    if (returned) {
      MemoryLimit.unreserve(surplus);
    }
  }

  private synchronized void use(int bytes) {
    inUse += bytes;
  }

  @Override
  public synchronized boolean hasIdle() {
    return idle > 0;
  }

  @Override
  public synchronized long reserved() {
    return inUse + idle + leaving;
  }
}
