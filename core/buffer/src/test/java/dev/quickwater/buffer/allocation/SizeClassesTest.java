package dev.quickwater.buffer.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SizeClassesTest {

  @Test
  void everyCapacityGetsTheSmallestClassThatHoldsItAndWastesAtMostAFifth() {
    for (int capacity = 0; capacity <= SizeClasses.LARGEST_POOLED; capacity++) {
      int sizeClass = SizeClasses.of(capacity);
      int size = SizeClasses.capacity(sizeClass);
      if (size < capacity || (sizeClass > 0 && SizeClasses.capacity(sizeClass - 1) >= capacity)) {
        throw new AssertionError(capacity + " is in class " + sizeClass + " of " + size);
      }
      if (capacity > SizeClasses.STEP * 4 && (size - capacity) * 5L > size) {
        throw new AssertionError(capacity + " wastes too much of " + size);
      }
    }
  }

  @Test
  void whatIsLargerHasNoClass() {
    for (int capacity = SizeClasses.LARGEST_POOLED + 1; capacity > 0; capacity += 77_777) {
      assertTrue(SizeClasses.of(capacity) >= SizeClasses.COUNT);
    }
  }

  @Test
  void pagesWasteAtMostAnEighthAtTheirEnd() {
    for (int c = 0; c < SizeClasses.COUNT; c++) {
      int page = SizeClasses.pageBytes(c);
      int size = SizeClasses.capacity(c);
      assertEquals(0, page % PageSource.UNIT);
      assertTrue(page % size * 8 <= page, size + " in " + page);
    }
  }

  @Test
  void capacitiesThatAreMultiplesOfTheAlignmentGetClassesThatAreTo() {
    for (int capacity = 64; capacity <= SizeClasses.LARGEST_POOLED; capacity += 64) {
      assertEquals(0, SizeClasses.capacity(SizeClasses.of(capacity)) % 64);
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
    assertEquals(16, SizeClasses.capacity(0));
    assertEquals(64, SizeClasses.capacity(3));
    assertEquals(80, SizeClasses.capacity(4));
    assertEquals(SizeClasses.LARGEST_POOLED, SizeClasses.capacity(SizeClasses.COUNT - 1));
  }
}
