package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;

/// The loops of the access benchmarks, the same for every kind of buffer: what a call site has seen
/// is what these have seen.
final class AccessLoops {

  /// Bytes that each loop covers.
  static final int SIZE = 256;

  private static final int LONGS = SIZE / Long.BYTES;
  private static final int INTS = SIZE / Integer.BYTES;

  /// Where longs are read that no loop can foresee; as many as in order.
  private static final int[] PLACES = Draws.below(LONGS, SIZE - Long.BYTES);

  private AccessLoops() {}

  static Object writeBytes(ByteBuf buffer) {
    for (int i = 0; i < SIZE; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  static Object writeBytes(io.netty.buffer.ByteBuf buffer) {
    for (int i = 0; i < SIZE; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  static long readBytes(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += buffer.readByte();
    }
    return sum;
  }

  static long readBytes(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += buffer.readByte();
    }
    return sum;
  }

  static Object writeInts(ByteBuf buffer) {
    for (int i = 0; i < INTS; i++) {
      buffer.writeInt(i);
    }
    return buffer;
  }

  static Object writeInts(io.netty.buffer.ByteBuf buffer) {
    for (int i = 0; i < INTS; i++) {
      buffer.writeInt(i);
    }
    return buffer;
  }

  static long readInts(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < INTS; i++) {
      sum += buffer.readInt();
    }
    return sum;
  }

  static long readInts(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < INTS; i++) {
      sum += buffer.readInt();
    }
    return sum;
  }

  static Object writeLongs(ByteBuf buffer) {
    for (int i = 0; i < LONGS; i++) {
      buffer.writeLong(i);
    }
    return buffer;
  }

  static Object writeLongs(io.netty.buffer.ByteBuf buffer) {
    for (int i = 0; i < LONGS; i++) {
      buffer.writeLong(i);
    }
    return buffer;
  }

  static long readLongs(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < LONGS; i++) {
      sum += buffer.readLong();
    }
    return sum;
  }

  static long readLongs(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < LONGS; i++) {
      sum += buffer.readLong();
    }
    return sum;
  }

  static long getBytes(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  static long getBytes(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  static long getLongs(ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i += Long.BYTES) {
      sum += buffer.getLong(i);
    }
    return sum;
  }

  static long getLongs(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int i = 0; i < SIZE; i += Long.BYTES) {
      sum += buffer.getLong(i);
    }
    return sum;
  }

  static long randomLongs(ByteBuf buffer) {
    long sum = 0;
    for (int place : PLACES) {
      sum += buffer.getLong(place);
    }
    return sum;
  }

  static long randomLongs(io.netty.buffer.ByteBuf buffer) {
    long sum = 0;
    for (int place : PLACES) {
      sum += buffer.getLong(place);
    }
    return sum;
  }
}
