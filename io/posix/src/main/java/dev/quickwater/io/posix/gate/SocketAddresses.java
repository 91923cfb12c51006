package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Memory;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Converts `sockaddr_in` and `sockaddr_in6` to Java and back. [UnixAddresses] converts
/// `sockaddr_un`.
public final class SocketAddresses {

  /// The bytes for either form of an Internet address.
  public static final int SIZE = 28;

  private static final int IPV4_SIZE = 16;

  private SocketAddresses() {}

  /// Writes an address as a `sockaddr` of `family`.
  ///
  /// @return the written length
  /// @throws IllegalArgumentException for an IPv6 address, other than the wildcard, in the IPv4
  ///   family: its first bytes would be the address of another host
  public static int encode(InetSocketAddress address, int family, long target) {
    byte[] bytes = address.getAddress().getAddress();
    if (family == SocketConstants.AF_INET) {
      requireIpv4(address);
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
      // On a dual-stack socket, the IPv4 wildcard becomes the IPv6 wildcard; other IPv4 addresses
      // are mapped.
      Memory.putInt(target, 16, four.isAnyLocalAddress() ? 0 : 0xffff);
      Memory.copy(bytes, 0, target + 20, 4);
    } else {
      Memory.copy(bytes, 0, target + 8, 16);
    }
    int scope = address.getAddress() instanceof Inet6Address six ? six.getScopeId() : 0;
    NativeOrder.putInt(target + 24, scope);
    return SIZE;
  }

  private static void requireIpv4(InetSocketAddress address) {
    if (address.getAddress() instanceof Inet6Address six && !six.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          address + " is an address of IPv6, and the socket is one of IPv4");
    }
  }

  /// Reads an address; null for another family.
  public static @Nullable InetSocketAddress decode(long source) {
    @Nullable PackedAddress packed = PackedAddress.read(source);
    return packed == null ? null : packed.unpack();
  }

  /// Reads an address of `length` bytes of any supported family; null for another family.
  public static @Nullable SocketAddress decode(long source, int length) {
    return length < 2 || family(source) == SocketConstants.AF_UNIX
        ? UnixAddresses.decode(source, length)
        : decode(source);
  }

  /// The address family of a `sockaddr`.
  public static int family(long source) {
    return NativeOrder.getShort(source);
  }

  static int scope(long source) {
    return NativeOrder.getInt(source + 24);
  }

  static void family(long target, int family) {
    NativeOrder.putShort(target, (short) family);
  }
}
