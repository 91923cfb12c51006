package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.system.NativeAccess;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class SharedAllocatorTest {

  @EachStorage
  void anyThreadAllocatesAndAnyReleases(Storage storage) throws Exception {
    SharedAllocator allocator = storage.shared();
    long used = allocator.metrics().used();
    ConcurrentLinkedQueue<ByteBuf> handedOver = new ConcurrentLinkedQueue<>();
    Threads.together(
        4,
        number -> {
          for (int i = 0; i < 20_000; i++) {
            handedOver.add(allocator.allocate(100 + number).setInt(0, i));
            ByteBuf buffer = handedOver.poll();
            if (buffer != null) {
              buffer.release();
            }
          }
        });
    handedOver.forEach(ByteBuf::release);
    assertEquals(used, allocator.metrics().used());
    assertTrue(allocator.metrics().reserved() > 0);
  }

  @EachStorage
  void virtualThreadsAllocate(Storage storage) throws Exception {
    SharedAllocator allocator = storage.shared();
    long used = allocator.metrics().used();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int j = 0; j < 100; j++) {
              allocator.allocate(j * 10).release();
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(used, allocator.metrics().used());
  }

  @Test
  void kindOfMemoryFollowsNativeAccess() {
    assertEquals(NativeAccess.enabled(), ByteBufAllocator.shared().isNative());
    ByteBuf buffer = ByteBufAllocator.shared().allocate(1);
    assertEquals(NativeAccess.enabled(), UnsafeViews.isNative(buffer));
    buffer.release();
  }
}
