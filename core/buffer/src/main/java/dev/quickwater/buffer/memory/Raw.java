package dev.quickwater.buffer.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.quickwater.system.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Access to the memory of a buffer: to an array if there is one, otherwise to native memory.
///
/// **Nothing is checked.** The caller has just compared index and width with the limit of its
/// buffer. An access to native memory outside a mapped range ends the process.
///
/// The segment is used directly, not through methods of [Memory]. The JIT compiler always inlines
/// methods of a segment, but an ordinary method on a rarely taken branch becomes a call. A loop
/// over 256 bytes with both kinds of memory in its profile then takes 750 ns instead of 22.
public final class Raw {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

  private static final ValueLayout.OfShort NATIVE_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
  private static final ValueLayout.OfInt NATIVE_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
  private static final ValueLayout.OfLong NATIVE_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
  private static final ValueLayout.OfLong NATIVE_WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

  private static final MemorySegment ALL = Memory.all();

  /// Shows the compiler that address plus index cannot overflow, see [Memory].
  private static final long MASK = Memory.ADDRESS_MASK;

  private Raw() {}

  public static byte getByte(byte @Nullable [] array, long address, int index) {
    return array != null
        ? array[(int) address + index]
        : ALL.get(JAVA_BYTE, (address & MASK) + index);
  }

  public static short getShort(byte @Nullable [] array, long address, int index) {
    return array != null
        ? (short) SHORT.get(array, (int) address + index)
        : ALL.get(NATIVE_SHORT, (address & MASK) + index);
  }

  public static int getInt(byte @Nullable [] array, long address, int index) {
    return array != null
        ? (int) INT.get(array, (int) address + index)
        : ALL.get(NATIVE_INT, (address & MASK) + index);
  }

  public static long getLong(byte @Nullable [] array, long address, int index) {
    return array != null
        ? (long) LONG.get(array, (int) address + index)
        : ALL.get(NATIVE_LONG, (address & MASK) + index);
  }

  /// Eight bytes in little-endian order, for scans.
  public static long getWord(byte @Nullable [] array, long address, int index) {
    return array != null
        ? (long) WORD.get(array, (int) address + index)
        : ALL.get(NATIVE_WORD, (address & MASK) + index);
  }

  /// Sets eight bytes in little-endian order.
  public static void putWord(byte @Nullable [] array, long address, int index, long value) {
    if (array != null) {
      WORD.set(array, (int) address + index, value);
    } else {
      ALL.set(NATIVE_WORD, (address & MASK) + index, value);
    }
  }

  public static void putByte(byte @Nullable [] array, long address, int index, int value) {
    if (array != null) {
      array[(int) address + index] = (byte) value;
    } else {
      ALL.set(JAVA_BYTE, (address & MASK) + index, (byte) value);
    }
  }

  public static void putShort(byte @Nullable [] array, long address, int index, int value) {
    if (array != null) {
      SHORT.set(array, (int) address + index, (short) value);
    } else {
      ALL.set(NATIVE_SHORT, (address & MASK) + index, (short) value);
    }
  }

  public static void putInt(byte @Nullable [] array, long address, int index, int value) {
    if (array != null) {
      INT.set(array, (int) address + index, value);
    } else {
      ALL.set(NATIVE_INT, (address & MASK) + index, value);
    }
  }

  public static void putLong(byte @Nullable [] array, long address, int index, long value) {
    if (array != null) {
      LONG.set(array, (int) address + index, value);
    } else {
      ALL.set(NATIVE_LONG, (address & MASK) + index, value);
    }
  }

  /// Copies to an array.
  public static void copy(
      byte @Nullable [] array, long address, byte[] target, int offset, int length) {
    if (array != null) {
      System.arraycopy(array, (int) address, target, offset, length);
    } else {
      Memory.copy(address, target, offset, length);
    }
  }

  /// Copies from an array.
  public static void copy(
      byte[] source, int offset, byte @Nullable [] array, long address, int length) {
    if (array != null) {
      System.arraycopy(source, offset, array, (int) address, length);
    } else {
      Memory.copy(source, offset, address, length);
    }
  }

  /// Copies between two regions of any kind, which may overlap.
  public static void copy(
      byte @Nullable [] source, long from, byte @Nullable [] target, long to, int length) {
    if (source != null) {
      copy(source, (int) from, target, to, length);
    } else if (target != null) {
      Memory.copy(from, target, (int) to, length);
    } else {
      Memory.copy(from, to, length);
    }
  }

  public static void fill(byte @Nullable [] array, long address, int length, byte value) {
    if (array != null) {
      Arrays.fill(array, (int) address, (int) address + length, value);
    } else {
      Memory.segment(address, length).fill(value);
    }
  }

  /// The number of equal bytes at the start of two regions; -1 if both the bytes and the lengths
  /// are equal.
  public static int mismatch(
      byte @Nullable [] array,
      long address,
      int length,
      byte @Nullable [] other,
      long otherAddress,
      int otherLength) {
    return (int)
        segment(array, address, length).mismatch(segment(other, otherAddress, otherLength));
  }

  public static MemorySegment segment(byte @Nullable [] array, long address, int length) {
    if (array == null) {
      return Memory.segment(address, length);
    }
    int offset = (int) address;
    return MemorySegment.ofArray(array).asSlice(offset, length);
  }

  /// A view of a region, whose position 0 is at `address`.
  public static ByteBuffer view(byte @Nullable [] array, long address, int length) {
    return array != null
        ? ByteBuffer.wrap(array, (int) address, length).slice()
        : Memory.segment(address, length).asByteBuffer();
  }
}
