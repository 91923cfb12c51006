package dev.quickwater.buffer;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// What the flight recorder is told of memory. Both are rare: a slab is mapped when all others are
/// full, and huge blocks are over 128 KiB.
final class MemoryEvents {

  private MemoryEvents() {}

  /// Memory for buffers was taken from the system or the collector.
  @Name("dev.quickwater.Slab")
  @Label("Buffer Slab")
  @Description("Memory for buffers was taken from the system or the Java heap")
  @Category({"Quickwater", "Memory"})
  static final class SlabEvent extends Event {
    @Label("Size")
    @DataAmount
    long size;

    @Label("Native Memory")
    boolean nativeMemory;

    @Label("Reserved in Process")
    @DataAmount
    long reserved;
  }

  /// A block that does not share a page was allocated.
  @Name("dev.quickwater.HugeAllocation")
  @Label("Huge Buffer Allocation")
  @Description("A buffer over 128 KiB was allocated")
  @Category({"Quickwater", "Memory"})
  static final class HugeEvent extends Event {
    @Label("Size")
    @DataAmount
    long size;

    @Label("Native Memory")
    boolean nativeMemory;
  }

  static void slab(boolean nativeMemory, long size) {
    SlabEvent event = new SlabEvent();
    if (event.shouldCommit()) {
      event.size = size;
      event.nativeMemory = nativeMemory;
      event.reserved = MemoryLimit.reserved();
      event.commit();
    }
  }

  static void huge(boolean nativeMemory, long size) {
    HugeEvent event = new HugeEvent();
    if (event.shouldCommit()) {
      event.size = size;
      event.nativeMemory = nativeMemory;
      event.commit();
    }
  }
}
