package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Page;
import dev.quickwater.testkit.ChildJvm;
import dev.quickwater.testkit.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The Java heap that a buffer costs, and the agreement of the metrics with the JVM and the system.
class BookkeepingTest {

  /// Prints the Java heap of each of many live buffers, as measured and according to the metrics.
  static final class Live {
    private static final int COUNT = 200_000;

    public static void main(String[] args) {
      int size = Integer.getInteger("size");
      LoopAllocator allocator = new LoopAllocator();
      allocator.attach();
      // What is linked on first use is there before the first measurement.
      for (int i = 0; i < 1000; i++) {
        allocator.allocate(size).release();
      }
      ByteBuf[] held = new ByteBuf[COUNT];
      long before = heap();
      long counted = allocator.metrics().bookkeeping();
      for (int i = 0; i < COUNT; i++) {
        held[i] = allocator.allocate(size);
      }
      long measured = (heap() - before) / COUNT;
      System.out.println(measured + " " + (allocator.metrics().bookkeeping() - counted) / COUNT);
      System.out.println(held[COUNT - 1].capacity());
    }

    /// The minimum of several garbage collections: the first ones leave objects that were just
    /// linked or cached.
    private static long heap() {
      Runtime runtime = Runtime.getRuntime();
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 5; i++) {
        System.gc();
        least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
      }
      return least;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 256})
  void smallLiveBufferTakesAtMost72BytesOfJavaHeap(int size) throws Exception {
    ChildJvm child =
        ChildJvm.run(
            Live.class,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:-UseCompactObjectHeaders",
            "-Xmx256m",
            "-Ddev.quickwater.leakLevel=disabled",
            "-Dsize=" + size);
    assertEquals("", child.err());
    String[] figures = child.out().lines().findFirst().orElseThrow().split(" ");
    long measured = Long.parseLong(figures[0]);
    assertTrue(measured >= 56 && measured <= 72, child.out());
    assertEquals(measured, Long.parseLong(figures[1]), 3, child.out());
  }

  @Test
  void largeBlocksCountTheirPagesAndHandles() {
    Heap heap = new Heap(false);
    heap.attach(Thread.currentThread(), null);
    List<ByteBuf> held = new ArrayList<>();
    long expected = 0;
    for (int i = 0; i < 10; i++) {
      ByteBuf buffer = Blocks.allocate(heap, 200_000, 200_000, 200_000);
      expected += buffer.page.heapBytes() + Page.HANDLE_BYTES;
      held.add(buffer);
    }
    assertEquals(expected, heap.bookkeeping());
    held.forEach(ByteBuf::release);
    heap.detach();
    assertEquals(0, heap.bookkeeping());
  }

  @Test
  void blocksFreedElsewhereCountNoHandleAndStayInTheirPages() throws Exception {
    Heap heap = new Heap(false);
    heap.attach(Thread.currentThread(), null);
    long before = heap.bookkeeping();
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      held.add(Blocks.allocate(heap, 16, 16, 16));
    }
    long handles = 2_000L * Page.HANDLE_BYTES;
    long pages = heap.bookkeeping() - before - handles;
    Threads.elsewhere(() -> held.forEach(ByteBuf::release));
    assertEquals(0, heap.used());
    assertEquals(pages, heap.bookkeeping() - before);
    heap.collect();
    assertEquals(0, heap.used());
    heap.detach();
    assertEquals(0, heap.bookkeeping());
  }

  /// Prints the system's report on the mapping that contains a buffer.
  static final class Mapping {
    public static void main(String[] args) throws Exception {
      ByteBuf buffer = ByteBufAllocator.shared().allocate(1 << 20);
      buffer.setByte(0, 1);
      long address = UnsafeViews.address(buffer, 0);
      boolean inside = false;
      for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
        if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
          String[] range = line.split("[- ]", 3);
          inside =
              Long.parseUnsignedLong(range[0], 16) <= address
                  && address < Long.parseUnsignedLong(range[1], 16);
        } else if (inside && (line.startsWith("Rss:") || line.startsWith("VmFlags:"))) {
          System.out.println(line.replaceAll(" +", " ").strip());
        }
      }
      buffer.release();
    }
  }

  /// With huge pages one touched byte could make 2 MiB resident.
  @Test
  void touchedPagesAreSmallOnes() throws Exception {
    ChildJvm child = ChildJvm.run(Mapping.class, "--enable-native-access=ALL-UNNAMED");
    String[] lines = child.out().split("\n");
    assertEquals(2, lines.length, child.out() + child.err());
    long rss = Long.parseLong(lines[0].split(" ")[1]);
    assertTrue(rss > 0 && rss <= 64, lines[0]);
    // "nh": MADV_NOHUGEPAGE. A kernel without huge pages does not support the advice.
    boolean known = Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage"));
    assertEquals(known, Arrays.asList(lines[1].split(" ")).contains("nh"), lines[1]);
  }
}
