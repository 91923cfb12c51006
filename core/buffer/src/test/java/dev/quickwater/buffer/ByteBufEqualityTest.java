package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
}
