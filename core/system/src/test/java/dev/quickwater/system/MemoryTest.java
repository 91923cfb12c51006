package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MemoryTest {

  private final long address = Pages.map(4096);

  @Test
  void valuesAreBigEndianUnlessNamedOtherwise() {
    Memory.putLong(address, 1, 0x0102_0304_0506_0708L);
    assertEquals(1, Memory.getByte(address, 1));
    assertEquals(0x0102, Memory.getShort(address, 1));
    assertEquals(0x0102_0304, Memory.getInt(address, 1));
    assertEquals(0x0102_0304_0506_0708L, Memory.getLong(address, 1));
    assertEquals(0x0201, Memory.getShortLE(address, 1));
    assertEquals(0x0403_0201, Memory.getIntLE(address, 1));
    assertEquals(0x0807_0605_0403_0201L, Memory.getLongLE(address, 1));
  }

  @Test
  void everyWidthIsWrittenAsItIsRead() {
    Memory.putByte(address, 3, (byte) 0x81);
    assertEquals((byte) 0x81, Memory.getByte(address, 3));
    Memory.putShort(address, 5, (short) 0x8123);
    assertEquals((short) 0x8123, Memory.getShort(address, 5));
    Memory.putInt(address, 7, 0x8123_4567);
    assertEquals(0x8123_4567, Memory.getInt(address, 7));
    Memory.putShortLE(address, 5, (short) 0x8123);
    assertEquals((short) 0x2381, Memory.getShort(address, 5));
    Memory.putIntLE(address, 7, 0x8123_4567);
    assertEquals(0x6745_2381, Memory.getInt(address, 7));
    Memory.putLongLE(address, 9, 0x8123_4567_89ab_cdefL);
    assertEquals(0xefcd_ab89_6745_2381L, Memory.getLong(address, 9));
  }

  @Test
  void copiesReachExactlyTheirRange() {
    byte[] source = {1, 2, 3, 4, 5};
    Memory.copy(source, 1, address + 10, 3);
    Memory.copy(address + 10, address + 11, 3);
    byte[] target = new byte[8];
    Memory.copy(address + 9, target, 1, 6);
    assertArrayEquals(new byte[] {0, 0, 2, 2, 3, 4, 0, 0}, target);
  }

  @Test
  void fillSetsExactlyItsRange() {
    Memory.fill(address + 1, 2, (byte) 7);
    byte[] target = new byte[4];
    Memory.copy(address, target, 0, 4);
    assertArrayEquals(new byte[] {0, 7, 7, 0}, target);
  }

  @Test
  void segmentIsAViewOfTheRange() {
    Memory.putByte(address, 2, (byte) 9);
    assertEquals(9, Memory.segment(address + 2, 1).asByteBuffer().get(0));
    assertEquals(address, Memory.all().asSlice(address, 1).address());
  }
}
