package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SizeClassesTest {

  @Test
  void everyCapacityGetsTheSmallestClassThatHoldsItAndWastesAtMostAFifth() {
    for (int capacity = 0; capacity <= 600_000; capacity++) {
      check(capacity);
    }
    for (int capacity = 1 << 20; capacity > 0 && capacity <= 1 << 30; capacity <<= 1) {
      check(capacity - 1);
      check(capacity);
      check(Math.min(capacity + 1, 1 << 30));
    }
  }

  private static void check(int capacity) {
    int sizeClass = SizeClasses.of(capacity);
    int size = SizeClasses.capacity(sizeClass);
    if (size < capacity || (sizeClass > 0 && SizeClasses.capacity(sizeClass - 1) >= capacity)) {
      throw new AssertionError(capacity + " is in class " + sizeClass + " of " + size);
    }
    if (capacity > 256 && (size - capacity) * 5L > size) {
      throw new AssertionError(capacity + " wastes too much of " + size);
    }
  }

  @Test
  void capacitiesRiseAndKeepBlocksAligned() {
    for (int c = 1; c < SizeClasses.COUNT; c++) {
      assertTrue(SizeClasses.capacity(c) > SizeClasses.capacity(c - 1));
      assertEquals(0, SizeClasses.capacity(c) % 16);
      assertEquals(c, SizeClasses.of(SizeClasses.capacity(c)));
    }
  }

  @Test
  void bordersAreWhereTheyAreSaidToBe() {
    assertEquals(64, SizeClasses.capacity(0));
    assertEquals(SizeClasses.LARGEST_POOLED, SizeClasses.capacity(SizeClasses.POOLED - 1));
    assertEquals(SizeClasses.LARGEST, SizeClasses.capacity(SizeClasses.COUNT - 1));
  }
}
