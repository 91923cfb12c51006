package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.Page;
import dev.quickwater.common.LeakTracker;
import dev.quickwater.junit.MayLeak;
import dev.quickwater.testkit.Threads;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
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

  /// A leak listener is user code, which may be slow and allocate. Here it allocates more often
  /// than there are heaps, so that it would meet a heap that is locked during the report.
  @EachStorage
  void listenerMayAllocateFromTheAllocatorThatTellsIt(Storage storage) throws Exception {
    int most = 4 * Runtime.getRuntime().availableProcessors() + 1;
    AtomicInteger reported = new AtomicInteger();
    try (var _ =
        LeakTracker.onLeak(_ -> {
          for (int i = 0; i < most; i++) {
            storage.shared().allocate(16).release();
          }
          if (reported.incrementAndGet() < most) {
            dropBuffer(storage);
          }
        })) {
      Threads.elsewhere(() -> {
        dropBuffer(storage);
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (reported.get() < most && System.nanoTime() < deadline) {
          System.gc();
          storage.shared().allocate(16).release();
        }
      });
    }
    assertEquals(most, reported.get());
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

  /// Runs `action` in a leak listener during `view.slice(0, 4)`. The last view that the listener
  /// sees created is the slice, because the test thread has nothing else to track.
  private static void sliceWhileTheListener(ByteBuf parent, Storage storage, Runnable action) {
    AtomicInteger reported = new AtomicInteger();
    WeakReference<ByteBuf> dropped = dropBuffer(storage);
    while (dropped.get() != null) {
      System.gc();
    }
    try (var _ =
        LeakTracker.onLeak(_ -> {
          if (reported.incrementAndGet() == 1) {
            action.run();
          }
        })) {
      long deadline = System.nanoTime() + 30_000_000_000L;
      while (reported.get() == 0 && System.nanoTime() < deadline) {
        sliceIsRefusedIfChanged(parent, reported);
      }
    }
    assertEquals(1, reported.get());
  }

  private static void sliceIsRefusedIfChanged(ByteBuf parent, AtomicInteger reported) {
    try {
      parent.slice(0, 4).release();
      assertEquals(0, reported.get(), "the slice was created on memory of another holder");
    } catch (IllegalStateException e) {
      assertEquals(1, reported.get(), e::toString);
    }
  }

  @EachStorage
  void sliceIsRefusedWhenAListenerReleasesTheBuffer(Storage storage) {
    ByteBuf parent = storage.shared().allocate(64).writeLong(1);
    Page page = parent.page;
    long address = parent.address;
    List<ByteBuf> next = new CopyOnWriteArrayList<>();
    sliceWhileTheListener(
        parent,
        storage,
        () -> {
          parent.release();
          next.add(storage.shared().allocate(64));
        });
    ByteBuf taken = next.getFirst();
    assertEquals(address, taken.address, "the next buffer has the same block");
    assertEquals(1, page.holders(page.indexOf(address)));
    taken.release();
  }

  @EachStorage
  void sliceIsRefusedWhenAListenerMakesTheBufferGrow(Storage storage) {
    ByteBuf parent = storage.shared().allocate(64, 4096).writeLong(1);
    Page page = parent.page;
    long address = parent.address;
    sliceWhileTheListener(parent, storage, () -> parent.writeBytes(new byte[1024]));
    assertEquals(0, page.holders(page.indexOf(address)));
    parent.release();
  }
}
