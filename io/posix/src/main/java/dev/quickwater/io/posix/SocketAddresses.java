package dev.quickwater.io.posix;

import dev.quickwater.system.Memory;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// `sockaddr_in` and `sockaddr_in6` to Java and back.
public final class SocketAddresses {

  /// Bytes that hold either form.
  public static final int SIZE = 28;

  private static final int IPV4_SIZE = 16;

  private SocketAddresses() {}

  /// Writes an address in the family's form.
  ///
  /// @return the length of what was written
  public static int encode(InetSocketAddress address, int family, long target) {
    byte[] bytes = address.getAddress().getAddress();
    if (family == SocketConstants.AF_INET) {
      family(target, family);
      Memory.putShort(target, 2, (short) address.getPort());
      Memory.copy(bytes, 0, target + 4, 4);
      Memory.putLong(target, 8, 0);
      return IPV4_SIZE;
    }
    family(target, family);
    Memory.putShort(target, 2, (short) address.getPort());
    Memory.putInt(target, 4, 0);
    if (address.getAddress() instanceof Inet4Address four) {
      Memory.putLong(target, 8, 0);
      // The wildcard of IPv4 is the wildcard of both on a dual-stack socket; others are mapped.
      Memory.putInt(target, 16, four.isAnyLocalAddress() ? 0 : 0xffff);
      Memory.copy(bytes, 0, target + 20, 4);
    } else {
      Memory.copy(bytes, 0, target + 8, 16);
    }
    int scope = address.getAddress() instanceof Inet6Address six ? six.getScopeId() : 0;
    putNative(target, 24, scope);
    return SIZE;
  }

  /// Reads an address; null when it is of another family.
  public static @Nullable InetSocketAddress decode(long source) {
    int family =
        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            ? Memory.getShortLE(source, 0)
            : Memory.getShort(source, 0);
    int port = Memory.getShort(source, 2) & 0xffff;
    try {
      if (family == SocketConstants.AF_INET) {
        byte[] bytes = new byte[4];
        Memory.copy(source + 4, bytes, 0, 4);
        return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
      }
      if (family == SocketConstants.AF_INET6) {
        byte[] bytes = new byte[16];
        Memory.copy(source + 8, bytes, 0, 16);
        InetAddress address = InetAddress.getByAddress(bytes);
        int scope = getNative(source, 24);
        if (scope != 0 && address instanceof Inet6Address) {
          address = Inet6Address.getByAddress(null, bytes, scope);
        }
        return new InetSocketAddress(address, port);
      }
      return null;
    } catch (UnknownHostException e) {
      throw new AssertionError("4 or 16 bytes are an address", e);
    }
  }

  private static void family(long target, int family) {
    if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      Memory.putShortLE(target, 0, (short) family);
    } else {
      Memory.putShort(target, 0, (short) family);
    }
  }

  private static int getNative(long source, int index) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Memory.getIntLE(source, index)
        : Memory.getInt(source, index);
  }

  private static void putNative(long target, int index, int value) {
    if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      Memory.putIntLE(target, index, value);
    } else {
      Memory.putInt(target, index, value);
    }
  }
}
