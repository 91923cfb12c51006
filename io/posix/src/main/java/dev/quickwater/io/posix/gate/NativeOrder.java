package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Memory;
import java.nio.ByteOrder;

/// Numbers in the memory of system calls, in the byte order of the machine. Unaligned addresses are
/// allowed.
public final class NativeOrder {

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private NativeOrder() {}

  public static short getShort(long at) {
    return LITTLE ? Memory.getShortLE(at, 0) : Memory.getShort(at, 0);
  }

  public static void putShort(long at, short value) {
    if (LITTLE) {
      Memory.putShortLE(at, 0, value);
    } else {
      Memory.putShort(at, 0, value);
    }
  }

  public static int getInt(long at) {
    return LITTLE ? Memory.getIntLE(at, 0) : Memory.getInt(at, 0);
  }

  public static void putInt(long at, int value) {
    if (LITTLE) {
      Memory.putIntLE(at, 0, value);
    } else {
      Memory.putInt(at, 0, value);
    }
  }

  public static long getLong(long at) {
    return LITTLE ? Memory.getLongLE(at, 0) : Memory.getLong(at, 0);
  }

  public static void putLong(long at, long value) {
    if (LITTLE) {
      Memory.putLongLE(at, 0, value);
    } else {
      Memory.putLong(at, 0, value);
    }
  }
}
