package dev.quickwater.buffer.allocation;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// Memory events for the flight recorder. All are rare: a slab is mapped when all others are full,
/// huge blocks are over 128 KiB, and pressure is reported when it begins. An event that finds no
/// room in the Java heap is dropped, because the memory that it reports is already taken.
public final class MemoryEvents {

  private MemoryEvents() {}

  /// Memory for buffers was taken from the system or the Java heap.
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

  /// The memory of all buffers together has reached the soft limit.
  @Name("dev.quickwater.BufferPressure")
  @Label("Buffer Memory Pressure")
  @Description("The memory of buffers has reached its soft limit")
  @Category({"Quickwater", "Memory"})
  static final class PressureEvent extends Event {
    @Label("Reserved in Process")
    @DataAmount
    long reserved;
  }

  public static void pressure(long reserved) {
    try {
      PressureEvent event = new PressureEvent();
      if (event.shouldCommit()) {
        event.reserved = reserved;
        event.commit();
      }
    } catch (OutOfMemoryError _) {
      // see above
    }
  }

  static void slab(boolean nativeMemory, long size) {
    try {
      SlabEvent event = new SlabEvent();
      if (event.shouldCommit()) {
        event.size = size;
        event.nativeMemory = nativeMemory;
        event.reserved = MemoryLimit.reserved();
        event.commit();
      }
    } catch (OutOfMemoryError _) {
      // see above
    }
  }

  static void huge(boolean nativeMemory, long size) {
    try {
      HugeEvent event = new HugeEvent();
      if (event.shouldCommit()) {
        event.size = size;
        event.nativeMemory = nativeMemory;
        event.commit();
      }
    } catch (OutOfMemoryError _) {
      // see above
    }
  }
}
