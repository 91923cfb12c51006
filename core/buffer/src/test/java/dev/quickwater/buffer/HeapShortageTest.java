package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.SizeClasses;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Blocks that return to a heap while it waits for memory or returns memory. The source of its
/// pages is scripted.
class HeapShortageTest {

  private static final int SIZE = 4096;
  private static final int PAGE = SizeClasses.pageBytes(SizeClasses.of(SIZE));
  private static final int BLOCKS = PAGE / SIZE;

  private final ScriptedPages pages = new ScriptedPages();
  private final Heap heap = new Heap(false, pages);

  private void attach() {
    heap.attach(Thread.currentThread(), null);
  }

  private List<ByteBuf> fill(int count) {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(Blocks.allocate(heap, SIZE, SIZE, SIZE));
    }
    return held;
  }

  /// Releases buffers on another thread. Like a request that has to wait for memory, the heap then
  /// collects the blocks.
  private void releaseElsewhere(List<ByteBuf> buffers) throws Exception {
    Threads.elsewhere(() -> buffers.forEach(ByteBuf::release));
    heap.reclaim();
  }

  private void assertAllReturns(List<ByteBuf> held) {
    held.forEach(ByteBuf::release);
    heap.trim();
    assertEquals(0, heap.used());
    assertEquals(0, heap.reserved());
    heap.detach();
  }

  @Test
  void blocksThatReturnToTheFullPageWhileANewPageIsMadeServeLaterRequests() {
    attach();
    List<ByteBuf> held = fill(BLOCKS);
    List<ByteBuf> returning = new ArrayList<>(held.subList(0, 3));
    held.subList(0, 3).clear();
    pages.whileTaking(() -> releaseElsewhere(returning));
    held.addAll(fill(BLOCKS + 3));
    assertEquals(2 * PAGE, heap.used());
    assertEquals(2 * PAGE, heap.reserved());
    assertAllReturns(held);
  }

  /// A page that empties leaves the list of available pages, so the page must be in that list.
  @Test
  void fullPageThatGotABlockBackWhileANewPageWasMadeEmptiesWithoutHarmToOtherPages() {
    attach();
    List<ByteBuf> first = fill(BLOCKS);
    List<ByteBuf> others = fill(2 * BLOCKS);
    List<ByteBuf> full = fill(BLOCKS);
    List<ByteBuf> returning = List.of(full.removeLast(), full.removeLast());
    pages.whileTaking(() -> releaseElsewhere(returning));
    List<ByteBuf> next = fill(BLOCKS);
    first.removeLast().release();
    others.removeLast().release();
    others.removeFirst().release();
    full.forEach(ByteBuf::release);
    long reserved = heap.reserved();
    others.addAll(first);
    others.addAll(next);
    others.addAll(fill(3 + BLOCKS));
    assertEquals(reserved, heap.reserved());
    assertEquals(5 * PAGE, heap.used());
    assertAllReturns(others);
  }

  /// A waker of another loop runs on the thread that waits for memory, and may release buffers.
  @Test
  void fullPageThatEmptiesWhileANewPageIsMadeIsAnEmptyPage() {
    attach();
    List<ByteBuf> full = fill(BLOCKS);
    pages.whileTaking(() -> full.forEach(ByteBuf::release));
    List<ByteBuf> held = fill(1);
    assertEquals(PAGE, heap.emptiedBytes());
    held.addAll(fill(2 * BLOCKS - 1));
    assertEquals(2 * PAGE, heap.reserved());
    assertAllReturns(held);
  }

  private void refuseAfterRelease(List<ByteBuf> returning) {
    pages.whileTaking(() -> {
      releaseElsewhere(returning);
      throw new OutOfMemoryError("scripted");
    });
  }

  @Test
  void requestWithoutMemoryIsServedByABlockThatReturnedToTheFullPage() {
    attach();
    List<ByteBuf> held = fill(BLOCKS);
    refuseAfterRelease(List.of(held.removeFirst()));
    held.addAll(fill(1));
    assertEquals(PAGE, heap.used());
    assertAllReturns(held);
  }

  @Test
  void requestWithoutMemoryIsServedByABlockThatReturnedToAnotherPage() {
    attach();
    List<ByteBuf> held = fill(2 * BLOCKS);
    refuseAfterRelease(List.of(held.removeFirst(), held.removeFirst()));
    held.addAll(fill(2));
    assertEquals(2 * PAGE, heap.used());
    assertAllReturns(held);
  }

  @Test
  void requestWithoutMemoryFailsWhenNoBlockReturned() {
    attach();
    List<ByteBuf> held = fill(BLOCKS);
    refuseAfterRelease(List.of());
    assertThrows(OutOfMemoryError.class, () -> Blocks.allocate(heap, SIZE, SIZE, SIZE));
    assertEquals(PAGE, heap.used());
    assertAllReturns(held);
  }

  /// A thread that waits for this memory must not conclude too early that all has returned.
  @Test
  void requestedTrimIsDueUntilItsMemoryHasReturned() {
    heap.attach(new Thread("loop"), null);
    fill(1).getFirst().release();
    heap.requestTrim();
    List<Boolean> due = new ArrayList<>();
    pages.whileReturning(() -> due.add(heap.isTrimDue()));
    heap.reclaim();
    assertEquals(List.of(true), due);
    assertFalse(heap.isTrimDue());
    assertEquals(0, heap.reserved());
  }

  /// A thread that trims the heap for a request holds its lock for a moment. Another thread then
  /// cannot collect the block that it releases.
  @Test
  void blockReleasedWhileAnAbandonedHeapIsTrimmedReturnsItsPage() throws Exception {
    Heaps.add(heap);
    attach();
    ByteBuf early = fill(1).getFirst();
    ByteBuf late = Blocks.allocate(heap, 2 * SIZE, 2 * SIZE, 2 * SIZE);
    heap.detach();
    assertTrue(heap.tryLock());
    Threads.elsewhere(early::release);
    heap.unlock();
    pages.whileReturning(() -> Threads.elsewhere(late::release));
    Heaps.trim(null);
    assertEquals(0, heap.used());
    assertEquals(0, heap.reserved());
  }
}
