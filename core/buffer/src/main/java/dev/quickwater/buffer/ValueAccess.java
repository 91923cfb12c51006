package dev.quickwater.buffer;

import static java.nio.ByteOrder.BIG_ENDIAN;

import dev.quickwater.buffer.memory.Raw;
import java.nio.ByteOrder;
import java.util.Objects;

/// Values of a [ByteBuf] at an index, unsigned values, and values in a given byte order. A null
/// order throws [NullPointerException] before any index moves.
sealed interface ValueAccess permits ByteBuf {

  // ---- values at the indices, which the buffer has itself ----

  byte readByte();

  short readShort();

  int readUnsignedMedium();

  int readInt();

  long readLong();

  ByteBuf writeShort(int value);

  ByteBuf writeMedium(int value);

  ByteBuf writeInt(int value);

  ByteBuf writeLong(long value);

  // ---- values at an index ----

  /// The byte at an index.
  default byte getByte(int index) {
    ByteBuf buffer = buffer();
    int checked = buffer.checkValue(index, 1);
    return Raw.getByte(buffer.array, buffer.address, checked);
  }

  /// Two bytes as a signed number.
  default short getShort(int index) {
    ByteBuf buffer = buffer();
    int checked = buffer.checkValue(index, 2);
    return Raw.getShort(buffer.array, buffer.address, checked);
  }

  /// Four bytes as a signed number.
  default int getInt(int index) {
    ByteBuf buffer = buffer();
    int checked = buffer.checkValue(index, 4);
    return Raw.getInt(buffer.array, buffer.address, checked);
  }

  /// Eight bytes as a signed number.
  default long getLong(int index) {
    ByteBuf buffer = buffer();
    int checked = buffer.checkValue(index, 8);
    return Raw.getLong(buffer.array, buffer.address, checked);
  }

  /// Sets the byte at an index to the low eight bits of `value`.
  default ByteBuf setByte(int index, int value) {
    ByteBuf buffer = buffer();
    buffer.checkWrite(index, 1);
    Raw.putByte(buffer.array, buffer.address, index, value);
    return buffer;
  }

  /// Sets two bytes to the low sixteen bits of `value`.
  default ByteBuf setShort(int index, int value) {
    ByteBuf buffer = buffer();
    buffer.checkWrite(index, 2);
    Raw.putShort(buffer.array, buffer.address, index, value);
    return buffer;
  }

  /// Sets four bytes.
  default ByteBuf setInt(int index, int value) {
    ByteBuf buffer = buffer();
    buffer.checkWrite(index, 4);
    Raw.putInt(buffer.array, buffer.address, index, value);
    return buffer;
  }

  /// Sets eight bytes.
  default ByteBuf setLong(int index, long value) {
    ByteBuf buffer = buffer();
    buffer.checkWrite(index, 8);
    Raw.putLong(buffer.array, buffer.address, index, value);
    return buffer;
  }

  /// The byte at an index as 0 to 255.
  default int getUnsignedByte(int index) {
    return getByte(index) & 0xff;
  }

  /// Two bytes as 0 to 65,535.
  default int getUnsignedShort(int index) {
    return getShort(index) & 0xffff;
  }

  /// Four bytes as 0 to 4,294,967,295.
  default long getUnsignedInt(int index) {
    return Integer.toUnsignedLong(getInt(index));
  }

  /// Reads a byte as 0 to 255.
  default int readUnsignedByte() {
    return readByte() & 0xff;
  }

  /// Reads two bytes as 0 to 65,535.
  default int readUnsignedShort() {
    return readShort() & 0xffff;
  }

  /// Reads four bytes as 0 to 4,294,967,295.
  default long readUnsignedInt() {
    return Integer.toUnsignedLong(readInt());
  }

  /// Two bytes at an index in the given order.
  default short getShort(int index, ByteOrder order) {
    return isBig(order) ? getShort(index) : Short.reverseBytes(getShort(index));
  }

  /// Four bytes at an index in the given order.
  default int getInt(int index, ByteOrder order) {
    return isBig(order) ? getInt(index) : Integer.reverseBytes(getInt(index));
  }

  /// Eight bytes at an index in the given order.
  default long getLong(int index, ByteOrder order) {
    return isBig(order) ? getLong(index) : Long.reverseBytes(getLong(index));
  }

  /// Sets two bytes in the given order.
  default ByteBuf setShort(int index, int value, ByteOrder order) {
    return setShort(index, isBig(order) ? value : Short.reverseBytes((short) value));
  }

  /// Sets four bytes in the given order.
  default ByteBuf setInt(int index, int value, ByteOrder order) {
    return setInt(index, isBig(order) ? value : Integer.reverseBytes(value));
  }

  /// Sets eight bytes in the given order.
  default ByteBuf setLong(int index, long value, ByteOrder order) {
    return setLong(index, isBig(order) ? value : Long.reverseBytes(value));
  }

  /// Reads two bytes in the given order.
  default short readShort(ByteOrder order) {
    return isBig(order) ? readShort() : Short.reverseBytes(readShort());
  }

  /// Reads three bytes in the given order as 0 to 16,777,215.
  default int readUnsignedMedium(ByteOrder order) {
    return isBig(order) ? readUnsignedMedium() : Integer.reverseBytes(readUnsignedMedium()) >>> 8;
  }

  /// Reads four bytes in the given order.
  default int readInt(ByteOrder order) {
    return isBig(order) ? readInt() : Integer.reverseBytes(readInt());
  }

  /// Reads eight bytes in the given order.
  default long readLong(ByteOrder order) {
    return isBig(order) ? readLong() : Long.reverseBytes(readLong());
  }

  /// Writes two bytes in the given order.
  default ByteBuf writeShort(int value, ByteOrder order) {
    return writeShort(isBig(order) ? value : Short.reverseBytes((short) value));
  }

  /// Writes the low twenty-four bits of `value` in the given order.
  default ByteBuf writeMedium(int value, ByteOrder order) {
    return writeMedium(isBig(order) ? value : Integer.reverseBytes(value) >>> 8);
  }

  /// Writes four bytes in the given order.
  default ByteBuf writeInt(int value, ByteOrder order) {
    return writeInt(isBig(order) ? value : Integer.reverseBytes(value));
  }

  /// Writes eight bytes in the given order.
  default ByteBuf writeLong(long value, ByteOrder order) {
    return writeLong(isBig(order) ? value : Long.reverseBytes(value));
  }

  private static boolean isBig(ByteOrder order) {
    if (order == BIG_ENDIAN) {
      return true;
    }
    Objects.requireNonNull(order, "order");
    return false;
  }

  private ByteBuf buffer() {
    return (ByteBuf) this;
  }
}
