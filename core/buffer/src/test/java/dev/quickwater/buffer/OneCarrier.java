package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// Run in a JVM whose virtual threads share one carrier: one of them holds all heaps of the shared
/// allocator while it is parked, another wants one.
final class OneCarrier {

  private OneCarrier() {}

  public static void main(String[] args) throws InterruptedException {
    SharedAllocator shared = SharedAllocator.of(false);
    CountDownLatch held = new CountDownLatch(1);
    Thread holder =
        Thread.startVirtualThread(() -> {
          for (Heap heap : shared.heaps) {
            while (!heap.tryLock()) {
              Thread.onSpinWait();
            }
          }
          held.countDown();
          LockSupport.park();
          for (Heap heap : shared.heaps) {
            heap.unlock();
          }
        });
    held.await();
    CountDownLatch begun = new CountDownLatch(1);
    Thread waiter =
        Thread.startVirtualThread(() -> {
          if (Boolean.getBoolean("interrupted")) {
            Thread.currentThread().interrupt();
          }
          begun.countDown();
          shared.allocate(64).release();
          System.out.println("allocated, interrupted=" + Thread.currentThread().isInterrupted());
        });
    begun.await();
    LockSupport.unpark(holder);
    waiter.join();
  }
}
