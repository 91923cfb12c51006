package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.common.LoopThread;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/// Blocks of other loops that a loop frees return to those loops together, no later than the end of
/// a turn.
class OutboxTest extends Buffers {

  private static List<ByteBuf> fill(LoopAllocator allocator, int count, int size) {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(allocator.allocate(size));
    }
    return held;
  }

  private static void onALoop(Threads.Action action) throws Exception {
    FutureTask<Void> task = Threads.task(action);
    Thread loop = new LoopThread("other", task);
    loop.start();
    Threads.join(task);
    loop.join();
  }

  @EachStorage
  void blocksCountAsUsedUntilTheTurnEnds(Storage storage) throws Exception {
    LoopAllocator mine = allocator(storage);
    List<ByteBuf> held = fill(mine, 10, 1024);
    onALoop(() -> {
      LoopAllocator theirs = storage.attach();
      held.forEach(ByteBuf::release);
      assertEquals(10 * 1024, mine.metrics().used());
      theirs.publishReleased();
      assertEquals(0, mine.metrics().used());
      theirs.detach();
    });
  }

  @EachStorage
  void everyReasonToHandOverHandsOverAll(Storage storage) throws Exception {
    LoopAllocator mine = allocator(storage);
    List<ByteBuf> many = fill(mine, 65, 16);
    List<ByteBuf> beforeBlocking = fill(mine, 3, 16);
    List<ByteBuf> ofTwoHeaps = fill(mine, 3, 16);
    ByteBuf shared = ByteBufAllocator.shared().allocate(16);
    List<ByteBuf> beforeTheEnd = fill(mine, 3, 16);
    List<ByteBuf> ofNoLoop = fill(mine, 3, 16);
    onALoop(() -> {
      LoopAllocator theirs = storage.attach();
      many.forEach(ByteBuf::release);
      assertEquals(13 * 16, mine.metrics().used());
      theirs.collect();
      assertEquals(12 * 16, mine.metrics().used());
      beforeBlocking.forEach(ByteBuf::release);
      theirs.collect();
      assertEquals(9 * 16, mine.metrics().used());
      ofTwoHeaps.forEach(ByteBuf::release);
      shared.release();
      theirs.publishReleased();
      assertEquals(6 * 16, mine.metrics().used());
      beforeTheEnd.forEach(ByteBuf::release);
      theirs.detach();
      assertEquals(3 * 16, mine.metrics().used());
      ofNoLoop.forEach(ByteBuf::release);
      assertEquals(0, mine.metrics().used());
    });
  }

  @EachStorage
  void blocksOfManyPagesReturnEachOnce(Storage storage) throws Exception {
    LoopAllocator mine = allocator(storage);
    mine.trim();
    AllocatorMetrics before = mine.metrics();
    for (int round = 0; round < 20; round++) {
      List<ByteBuf> held = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        held.add(mine.allocate(16 << i % 9));
      }
      Collections.shuffle(held, new Random(round));
      onALoop(() -> {
        LoopAllocator theirs = storage.attach();
        held.forEach(ByteBuf::release);
        theirs.detach();
      });
      assertEquals(0, mine.metrics().used());
      mine.collect();
      assertEquals(0, mine.metrics().used());
    }
    mine.trim();
    assertEquals(before, mine.metrics());
  }

  /// The heap that owns the blocks is abandoned before the blocks arrive.
  @EachStorage
  void blocksForAHeapThatWasLeftMeanwhileReturnTheirPages(Storage storage) throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    List<ByteBuf> held = new ArrayList<>();
    LoopAllocator owner = allocator(storage);
    owner.trim();
    long before = AllocatorMetrics.reservedInProcess();
    held.addAll(fill(owner, 10, 64));
    FutureTask<Void> other =
        Threads.task(() -> {
          LoopAllocator theirs = storage.attach();
          held.forEach(ByteBuf::release);
          released.countDown();
          left.await();
          theirs.publishReleased();
          theirs.detach();
        });
    Thread loop = new LoopThread("other", other);
    loop.start();
    released.await();
    owner.detach();
    left.countDown();
    Threads.join(other);
    loop.join();
    owner.attach();
    assertEquals(0, owner.metrics().used());
    PageSource.of(storage == Storage.NATIVE).trim();
    assertEquals(before, AllocatorMetrics.reservedInProcess());
  }

  /// The waker of the owner runs while the outbox is published, and releases further blocks.
  @EachStorage
  void blocksThatAWakerReleasesWhileOthersArePublishedReturnToo(Storage storage) throws Exception {
    List<ByteBuf> late = new ArrayList<>();
    Heap heap = new Heap(storage == Storage.NATIVE);
    heap.attach(
        new Thread("owner"),
        () -> {
          late.forEach(ByteBuf::release);
          late.clear();
        });
    onALoop(() -> {
      LoopAllocator theirs = storage.attach();
      List<ByteBuf> held = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        held.add(Blocks.allocate(heap, 128 << 10, 128 << 10, 128 << 10));
      }
      for (int i = 0; i < 5; i++) {
        late.add(Blocks.allocate(heap, 16, 16, 16));
      }
      held.forEach(ByteBuf::release);
      theirs.publishReleased();
      assertEquals(List.of(), late);
      assertEquals(5 * 16, heap.used());
      theirs.publishReleased();
      assertEquals(0, heap.used());
      theirs.detach();
    });
    heap.collect();
    assertEquals(0, heap.used());
    heap.trim();
    assertEquals(0, heap.reserved());
  }

  @EachStorage
  void loopGathersBlocksUntilItDetachesItsLastHeap(Storage storage) throws Exception {
    LoopAllocator mine = allocator(storage);
    List<ByteBuf> early = fill(mine, 3, 16);
    List<ByteBuf> late = fill(mine, 3, 16);
    onALoop(() -> {
      LoopAllocator first = storage.attach();
      LoopAllocator second = storage.attach();
      early.forEach(ByteBuf::release);
      assertEquals(6 * 16, mine.metrics().used());
      first.detach();
      assertEquals(3 * 16, mine.metrics().used());
      late.forEach(ByteBuf::release);
      assertEquals(3 * 16, mine.metrics().used());
      second.publishReleased();
      assertEquals(0, mine.metrics().used());
      second.detach();
    });
  }
}
