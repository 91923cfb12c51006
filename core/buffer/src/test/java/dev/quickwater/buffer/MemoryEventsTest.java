package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.buffer.allocation.SizeClasses;
import dev.quickwater.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a flight recording shows of memory.
class MemoryEventsTest extends Buffers {

  private static final String SLAB = "dev.quickwater.Slab";
  private static final String HUGE = "dev.quickwater.HugeAllocation";

  @TempDir private Path directory;

  private static boolean isCalled(RecordedEvent event, String name) {
    return event.getEventType().getName().equals(name);
  }

  /// The large blocks that are allocated on this thread while `action` runs, in order.
  private List<String> huge(Runnable action) throws Exception {
    Path file = directory.resolve("memory.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(HUGE).withoutStackTrace();
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    long here = Thread.currentThread().threadId();
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> isCalled(event, HUGE) && event.getThread().getJavaThreadId() == here)
        .map(event -> event.getLong("size") + " " + event.getBoolean("nativeMemory"))
        .toList();
  }

  @EachStorage
  void everyBufferOver128KibIsAnEventWithItsSizeInUnits(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    List<String> events =
        huge(() -> {
          allocator.allocate(SizeClasses.LARGEST_POOLED).release();
          allocator.allocate(SizeClasses.LARGEST_POOLED + 1).release();
          allocator.allocate(5 << 20).release();
        });
    boolean nativeMemory = storage == Storage.NATIVE;
    assertEquals(
        List.of(
            (SizeClasses.LARGEST_POOLED + PageSource.UNIT) + " " + nativeMemory,
            (5 << 20) + " " + nativeMemory),
        events);
  }

  /// Prints the slabs that a process maps which has none yet.
  static final class FirstSlabs {
    public static void main(String[] args) throws Exception {
      Path file = Files.createTempFile("memory", ".jfr");
      try (Recording recording = new Recording()) {
        recording.enable(SLAB).withoutStackTrace();
        recording.start();
        for (int i = 0; i < 2; i++) {
          ByteBufAllocator.shared().allocate(1 << 20);
        }
        recording.stop();
        recording.dump(file);
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> isCalled(event, SLAB))
            .map(e -> "size " + e.getLong("size") + ", reserved " + e.getLong("reserved"))
            .forEach(System.out::println);
      } finally {
        Files.delete(file);
      }
    }
  }

  @Test
  void slabOfNativeMemoryIsAnEvent() throws Exception {
    ChildJvm child = ChildJvm.run(FirstSlabs.class, "--enable-native-access=ALL-UNNAMED");
    assertEquals("size 16777216, reserved 1048576\n", child.out(), child.err());
  }

  @Test
  void everyNewArrayIsAnEvent() throws Exception {
    ChildJvm child = ChildJvm.run(FirstSlabs.class, "--illegal-native-access=deny");
    assertEquals(
        """
        size 1048576, reserved 1048576
        size 1048576, reserved 2097152
        """,
        child.out(),
        child.err());
  }

  @Test
  void unpooledBuffersAreHugeWhenTheyAre() throws Exception {
    List<String> events =
        huge(() -> {
          ByteBufAllocator.unpooled().allocate(1_000).release();
          ByteBufAllocator.unpooled().allocate(200_000).release();
        });
    assertEquals(List.of("200000 false"), events);
  }
}
