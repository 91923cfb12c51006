package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  /// The events of both names while `action` runs on this thread, by the time they ended.
  private List<RecordedEvent> record(Runnable action) throws Exception {
    Path file = directory.resolve("memory.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(SLAB).withoutStackTrace();
      recording.enable(HUGE).withoutStackTrace();
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    long here = Thread.currentThread().threadId();
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getThread().getJavaThreadId() == here)
        .toList();
  }

  private static List<String> huge(List<RecordedEvent> events) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(HUGE))
        .map(event -> event.getLong("size") + " " + event.getBoolean("nativeMemory"))
        .toList();
  }

  @EachStorage
  void everyBufferOver128KibIsAnEventWithItsSizeInUnits(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    List<RecordedEvent> events =
        record(() -> {
          allocator.allocate(SizeClasses.LARGEST_POOLED).release();
          allocator.allocate(SizeClasses.LARGEST_POOLED + 1).release();
          allocator.allocate(5 << 20).release();
        });
    boolean nativeMemory = storage == Storage.NATIVE;
    assertEquals(
        List.of(
            (SizeClasses.LARGEST_POOLED + PageSource.UNIT) + " " + nativeMemory,
            (5 << 20) + " " + nativeMemory),
        huge(events));
  }

  @EachStorage
  void memoryTakenFromTheSystemIsAnEventWithWhatIsReserved(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    boolean nativeMemory = storage == Storage.NATIVE;
    int size = nativeMemory ? 4 << 20 : 3 << 20;
    // More at once than a slab has, and than arrays are kept.
    ByteBuf[] held = new ByteBuf[Slab.BYTES / size + 1];
    allocator.trim();
    List<RecordedEvent> slabs =
        record(
                () -> {
                  for (int i = 0; i < held.length; i++) {
                    held[i] = allocator.allocate(size);
                  }
                })
            .stream()
            .filter(event -> event.getEventType().getName().equals(SLAB))
            .toList();
    for (ByteBuf buffer : held) {
      buffer.release();
    }
    assertTrue(!slabs.isEmpty(), "no slab was mapped");
    for (RecordedEvent slab : slabs) {
      assertEquals(nativeMemory ? Slab.BYTES : size, slab.getLong("size"));
      assertEquals(nativeMemory, slab.getBoolean("nativeMemory"));
      assertTrue(slab.getLong("reserved") >= size, () -> slab.toString());
    }
  }

  @Test
  void unpooledBuffersAreHugeWhenTheyAre() throws Exception {
    List<RecordedEvent> events =
        record(() -> {
          ByteBufAllocator.unpooled().allocate(1_000).release();
          ByteBufAllocator.unpooled().allocate(200_000).release();
        });
    assertEquals(List.of("200000 false"), huge(events));
  }
}
