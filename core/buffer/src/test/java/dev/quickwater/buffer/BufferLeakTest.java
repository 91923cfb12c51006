package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.LeakTracker;
import dev.quickwater.junit.MayLeak;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/// Tests run at the level paranoid. What leaks here comes from the shared allocator, so that no
/// other test misses it.
@MayLeak("to see the reports")
class BufferLeakTest {

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final LeakTracker.Listening listening = LeakTracker.onLeak(reports::add);

  @AfterEach
  void stopListening() {
    listening.close();
  }

  private static WeakReference<ByteBuf> dropBuffer(Storage storage) {
    return new WeakReference<>(storage.shared().allocate(10).touch("seen by the test"));
  }

  private static WeakReference<ByteBuf> dropSlice(Storage storage) {
    ByteBuf buffer = storage.shared().allocate(10);
    ByteBuf slice = buffer.slice(0, 5);
    buffer.release();
    return new WeakReference<>(slice);
  }

  private static WeakReference<ByteBuf> releaseAndDrop(Storage storage) {
    ByteBuf buffer = storage.shared().allocate(10);
    buffer.release();
    return new WeakReference<>(buffer);
  }

  private void collect(WeakReference<?> dropped, int expected) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while ((dropped.get() != null || reports.size() < expected) && System.nanoTime() < deadline) {
      System.gc();
      LeakTracker.reportUnreachable();
    }
    assertEquals(expected, reports.size(), () -> String.join("\n", reports));
  }

  @EachStorage
  void droppedBufferIsReportedWithWhereItWasMadeAndSeen(Storage storage) {
    collect(dropBuffer(storage), 1);
    assertTrue(reports.getFirst().startsWith("leak: a buffer was never released"));
    assertTrue(reports.getFirst().contains("BufferLeakTest.dropBuffer("), reports.getFirst());
    assertTrue(reports.getFirst().contains("seen by the test"), reports.getFirst());
  }

  @EachStorage
  void droppedSliceIsReported(Storage storage) {
    collect(dropSlice(storage), 1);
    assertTrue(reports.getFirst().startsWith("leak: a view of a buffer was never released"));
  }

  @EachStorage
  void releasedBufferIsNotReported(Storage storage) {
    collect(releaseAndDrop(storage), 0);
  }
}
