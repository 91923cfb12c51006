package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PagesTest {

  @Test
  void mappedMemoryIsPageAlignedAndZero() {
    long address = Pages.map(1 << 20);
    assertEquals(0, address & 4095);
    assertEquals(0, Memory.getLong(address, 0));
    assertEquals(0, Memory.getLong(address, (1 << 20) - 8));
  }

  @Test
  void discardedMemoryStaysValidAndReadsAsZeros() {
    long address = Pages.map(1 << 16);
    Memory.putLong(address, 4096, -1);
    Pages.discard(address, 1 << 16);
    assertEquals(0, Memory.getLong(address, 4096));
    Memory.putLong(address, 4096, 5);
    assertEquals(5, Memory.getLong(address, 4096));
  }

  @Test
  void refusedMappingIsAnOutOfMemoryErrorWithLengthAndErrno() {
    OutOfMemoryError e = assertThrows(OutOfMemoryError.class, () -> Pages.map(1L << 60));
    assertEquals("mmap of " + (1L << 60) + " bytes failed with errno 12", e.getMessage());
  }

  @Test
  void discardOfAnUnalignedRangeIsAnErrorWithErrno() {
    long address = Pages.map(1 << 16);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Pages.discard(address + 1, 4096));
    assertTrue(e.getMessage().endsWith("failed with errno 22"), e.getMessage());
  }
}
