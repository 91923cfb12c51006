package dev.quickwater.buffer.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.testkit.Threads;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/// The holders and addresses of blocks.
class PageTest {

  private final Heap heap = new Heap(false);
  private Block block = take();

  private record Block(Page page, long address) {}

  private Block take() {
    Page page = heap.take(1);
    return new Block(page, page.addressOf(page.taken()));
  }

  private Page page() {
    return block.page();
  }

  private long address() {
    return block.address();
  }

  private int holders() {
    return page().holders(page().indexOf(address()));
  }

  private long blocksInUse() {
    return heap.used() / SizeClasses.STEP;
  }

  @Test
  void lastReleaseFrees() {
    page().share(address());
    assertEquals(2, holders());
    page().release(address());
    assertEquals(1, blocksInUse());
    assertEquals(1, holders());
    page().release(address());
    assertEquals(0, blocksInUse());
    assertEquals(0, holders());
  }

  @Test
  void deadBlockRefusesToBeSharedOrReleased() {
    page().release(address());
    for (int i = 0; i < 3; i++) {
      assertEquals(
          "the memory was released by its last holder",
          assertThrows(IllegalStateException.class, () -> page().share(address())).getMessage());
      assertEquals(
          "the memory was released more often than it was held",
          assertThrows(IllegalStateException.class, () -> page().release(address())).getMessage());
    }
    assertEquals(0, blocksInUse());
  }

  @Test
  void blockLivesAgainAfterStrayUse() {
    long before = address();
    page().release(address());
    assertThrows(IllegalStateException.class, () -> page().share(address()));
    assertThrows(IllegalStateException.class, () -> page().release(address()));
    block = take();
    assertEquals(before, address());
    assertEquals(1, holders());
    page().release(address());
    assertEquals(0, blocksInUse());
  }

  /// Threads that hold the block share and release at random. Other threads share without holding
  /// it, which may or may not succeed. The block is freed exactly once.
  @Test
  void underContentionAndStraySharesTheBlockIsFreedOnce() throws Exception {
    int threads = 3;
    page().release(address());
    for (int round = 1; round <= 1_000; round++) {
      block = take();
      for (int i = 1; i < threads; i++) {
        page().share(address());
      }
      Threads.together(
          threads + 1,
          number -> {
            if (number == threads) {
              stray();
            } else {
              hold();
            }
          });
      assertEquals(0, holders());
      assertEquals(0, blocksInUse());
    }
  }

  private void hold() {
    int held = 1;
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < 20; i++) {
      if (random.nextBoolean()) {
        page().share(address());
        held++;
      } else if (held > 1) {
        page().release(address());
        held--;
      }
    }
    for (; held > 0; held--) {
      page().release(address());
    }
  }

  private void stray() {
    for (int i = 0; i < 40; i++) {
      try {
        page().share(address());
        page().release(address());
      } catch (IllegalStateException _) {
        // it was dead already
      }
    }
  }

  @Test
  void everyAddressOfABlockLeadsToIt() {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      int bytes = SizeClasses.pageBytes(sizeClass);
      Page page = Page.of(heap, sizeClass).place(new Region(new byte[bytes]));
      int size = page.blockSize;
      for (int index = 0; index < bytes / size; index++) {
        long first = page.addressOf(index);
        assertEquals(index, page.indexOf(first));
        assertEquals(index, page.indexOf(first + size / 2));
        assertEquals(index, page.indexOf(first + size - 1));
        assertEquals(first + size, page.endOf(index));
      }
      assertThrows(IllegalStateException.class, () -> page.indexOf(page.addressOf(0) - 1));
      assertThrows(IllegalStateException.class, () -> page.indexOf(page.addressOf(0) + bytes));
    }
  }

  /// Offsets in arrays are small numbers that many regions have in common. An address is
  /// nevertheless in one region only, so a thread that races the growth of a buffer cannot reach
  /// the count of another block.
  @Test
  void addressOfOneArrayIsNotInAnother() {
    Page one = Page.of(heap, 0).place(new Region(new byte[PageSource.UNIT]));
    Page other = Page.of(heap, 0).place(new Region(new byte[PageSource.UNIT]));
    assertThrows(IllegalStateException.class, () -> one.indexOf(other.addressOf(0)));
  }

  @Test
  void javaHeapOfASmallBlockIsAFewBytes() {
    assertEquals(6, Page.heapBytesOfBlock(SizeClasses.of(64)));
    assertEquals(10, Page.heapBytesOfBlock(SizeClasses.of(256)));
    assertEquals(66, Page.heapBytesOfBlock(SizeClasses.of(4096)));
  }
}
