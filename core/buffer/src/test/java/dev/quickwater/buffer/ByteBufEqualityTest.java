package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

class ByteBufEqualityTest extends Buffers {

  @EachStorage
  void equalBytesAreEqualWhateverHoldsThem(Storage storage) {
    ByteBuf buffer = counting(storage, 8);
    ByteBuf wrapped = ByteBuf.wrap(new byte[] {9, 9, 2, 3, 4, 5, 6, 7}).skip(2);
    buffer.skip(2);
    assertEquals(buffer, wrapped);
    assertEquals(wrapped, buffer);
    assertEquals(buffer.hashCode(), wrapped.hashCode());
    buffer.release();
  }

  @EachStorage
  void differentBytesOrLengthsDiffer(Storage storage) {
    ByteBuf buffer = counting(storage, 3);
    assertNotEquals(buffer, ByteBuf.wrap(new byte[] {0, 1, 3}));
    assertNotEquals(buffer, ByteBuf.wrap(new byte[] {0, 1}));
    assertNotEquals(buffer, "0, 1, 2");
    assertEquals(ByteBuf.wrap(), ByteBuf.wrap());
    buffer.release();
  }

  @EachStorage
  void releasedBufferEqualsItselfAlone(Storage storage) {
    ByteBuf buffer = counting(storage, 3);
    ByteBuf other = counting(storage, 0);
    Set<ByteBuf> set = new HashSet<>(List.of(buffer));
    buffer.release();
    assertEquals(buffer, buffer);
    assertNotEquals(buffer, other);
    assertNotEquals(other, buffer);
    assertEquals(buffer.hashCode(), buffer.hashCode());
    other.release();
    assertNotEquals(buffer, other);
    set.remove(buffer);
    set.add(buffer);
    assertTrue(set.contains(buffer));
  }

  @EachStorage
  void mismatchIsTheFirstByteThatDiffers(Storage storage) {
    ByteBuf buffer = counting(storage, 20).skip(2);
    ByteBuf same = counting(storage, 20).skip(2);
    ByteBuf wrapped = ByteBuf.wrap(new byte[] {2, 3, 4, 9});
    assertEquals(-1, buffer.mismatch(same));
    same.setByte(19, 0);
    assertEquals(17, buffer.mismatch(same));
    assertEquals(17, same.mismatch(buffer));
    assertEquals(3, buffer.mismatch(wrapped));
    assertEquals(3, wrapped.mismatch(buffer));
    assertEquals(3, buffer.mismatch(wrapped.writerIndex(3)));
    assertEquals(0, buffer.mismatch(ByteBuf.wrap()));
    assertEquals(2, buffer.readerIndex());
    buffer.release();
    assertThrows(IllegalStateException.class, () -> same.mismatch(buffer));
    same.release();
  }
}
