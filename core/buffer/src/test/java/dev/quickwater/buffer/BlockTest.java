package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.testkit.Threads;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class BlockTest {

  private final Heap heap = new Heap(false);
  private final Block block = heap.take(1);

  private long blocksInUse() {
    return heap.used() / SizeClasses.STEP;
  }

  @Test
  void lastReleaseFrees() {
    block.share();
    assertEquals(2, block.holders());
    block.release();
    assertEquals(1, blocksInUse());
    assertEquals(1, block.holders());
    block.release();
    assertEquals(0, blocksInUse());
    assertEquals(0, block.holders());
  }

  @Test
  void deadBlockRefusesToBeSharedOrReleased() {
    block.release();
    for (int i = 0; i < 3; i++) {
      assertEquals(
          "the memory was released by its last holder",
          assertThrows(IllegalStateException.class, block::share).getMessage());
      assertEquals(
          "the memory was released more often than it was held",
          assertThrows(IllegalStateException.class, block::release).getMessage());
    }
    assertEquals(0, blocksInUse());
  }

  @Test
  void blockLivesAgainAfterStrayUse() {
    block.release();
    assertThrows(IllegalStateException.class, block::share);
    assertThrows(IllegalStateException.class, block::release);
    assertSame(block, heap.take(1));
    assertEquals(1, block.holders());
    block.release();
    assertEquals(0, blocksInUse());
  }

  /// Threads that hold share and release at random; others share without holding, which may or may
  /// not succeed. Whatever happens, the block is freed exactly once.
  @Test
  void underContentionAndStraySharesTheBlockIsFreedOnce() throws Exception {
    int holders = 3;
    block.release();
    for (int round = 1; round <= 1_000; round++) {
      assertSame(block, heap.take(1));
      for (int i = 1; i < holders; i++) {
        block.share();
      }
      Threads.together(
          holders + 1,
          number -> {
            if (number == holders) {
              stray();
            } else {
              hold();
            }
          });
      assertEquals(0, block.holders());
      assertEquals(0, blocksInUse());
    }
  }

  private void hold() {
    int held = 1;
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < 20; i++) {
      if (random.nextBoolean()) {
        block.share();
        held++;
      } else if (held > 1) {
        block.release();
        held--;
      }
    }
    for (; held > 0; held--) {
      block.release();
    }
  }

  private void stray() {
    for (int i = 0; i < 40; i++) {
      try {
        block.share();
        block.release();
      } catch (IllegalStateException _) {
        // it was dead already
      }
    }
  }
}
