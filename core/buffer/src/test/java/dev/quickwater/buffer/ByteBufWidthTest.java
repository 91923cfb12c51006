package dev.quickwater.buffer;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Every width and both orders against `java.nio.ByteBuffer`.
class ByteBufWidthTest extends Buffers {

  private static final ByteOrder[] ORDERS = {BIG_ENDIAN, LITTLE_ENDIAN};

  private final Random random = new Random(42);
  private final byte[] expected = new byte[24];

  private void assertBytes(ByteBuf buffer) {
    byte[] bytes = new byte[expected.length];
    buffer.copyToArray(0, bytes, 0, bytes.length);
    assertArrayEquals(expected, bytes);
  }

  @EachStorage
  void setAndGetAgreeWithByteBufferAtEveryIndex(Storage storage) {
    ByteBuf buffer = buffer(storage, expected.length);
    buffer.writeBytes(expected);
    for (ByteOrder order : ORDERS) {
      ByteBuffer model = ByteBuffer.wrap(expected).order(order);
      for (int i = 0; i <= expected.length - 8; i++) {
        long value = random.nextLong();
        model.putLong(i, value);
        buffer.setLong(i, value, order);
        assertBytes(buffer);
        assertEquals(value, buffer.getLong(i, order));
        assertEquals(model.getInt(i), buffer.getInt(i, order));
        assertEquals(model.getShort(i), buffer.getShort(i, order));
        model.putInt(i, (int) ~value);
        buffer.setInt(i, (int) ~value, order);
        assertBytes(buffer);
        model.putShort(i, (short) value);
        buffer.setShort(i, (int) value, order);
        assertBytes(buffer);
      }
    }
    buffer.release();
  }

  @EachStorage
  void networkOrderIsTheDefault(Storage storage) {
    ByteBuf buffer = buffer(storage, 32);
    buffer.writeByte(0x81).writeShort(0x8283).writeMedium(0x848586).writeInt(0x8788_898a);
    buffer.writeLong(0x8b8c_8d8e_8f90_9192L);
    for (int i = 0; i < 18; i++) {
      assertEquals(0x81 + i, buffer.getUnsignedByte(i));
    }
    assertEquals((byte) 0x81, buffer.readByte());
    assertEquals((short) 0x8283, buffer.readShort());
    assertEquals(0x84_8586, buffer.readUnsignedMedium());
    assertEquals(0x8788_898a, buffer.readInt());
    assertEquals(0x8b8c_8d8e_8f90_9192L, buffer.readLong());
    buffer.release();
  }

  @EachStorage
  void unsignedFormsAreNotNegative(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    buffer.writeLong(-1).writeInt(-1);
    assertEquals(0xff, buffer.getUnsignedByte(0));
    assertEquals(0xffff, buffer.getUnsignedShort(1));
    assertEquals(0xff, buffer.readUnsignedByte());
    assertEquals(0xffff, buffer.readUnsignedShort());
    assertEquals(0xff_ffff, buffer.readUnsignedMedium());
    buffer.release();
  }

  @EachStorage
  void mediumIsThreeBytes(Storage storage) {
    ByteBuf buffer = buffer(storage, 8);
    buffer.writeMedium(0x7f_fffe).writeMedium(-2);
    assertEquals(6, buffer.writerIndex());
    assertEquals(0x7f_fffe, buffer.readUnsignedMedium());
    assertEquals(0xff_fffe, buffer.readUnsignedMedium());
    buffer.writeMedium(0x0102_0304, LITTLE_ENDIAN);
    assertEquals(0x0403_02, buffer.getInt(5) & 0xff_ffff);
    assertEquals(0x02_0304, buffer.readUnsignedMedium(LITTLE_ENDIAN));
    buffer.release();
  }

  @EachStorage
  void readAndWriteInTheOtherOrder(Storage storage) {
    ByteBuf buffer = buffer(storage, 16);
    buffer.writeShort(0x0102, LITTLE_ENDIAN);
    buffer.writeInt(0x0304_0506, LITTLE_ENDIAN);
    buffer.writeLong(0x0708_090a_0b0c_0d0eL, LITTLE_ENDIAN);
    assertEquals(0x0201, buffer.getShort(0));
    assertEquals(0x0605_0403, buffer.getInt(2));
    assertEquals(0x0e0d_0c0b_0a09_0807L, buffer.getLong(6));
    assertEquals(0x0102, buffer.readShort(LITTLE_ENDIAN));
    assertEquals(0x0304_0506, buffer.readInt(LITTLE_ENDIAN));
    assertEquals(0x0708_090a_0b0c_0d0eL, buffer.readLong(LITTLE_ENDIAN));
    buffer.release();
  }
}
