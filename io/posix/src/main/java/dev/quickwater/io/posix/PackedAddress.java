package dev.quickwater.io.posix;

import dev.quickwater.system.Memory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The address of a peer in 40 bytes.
///
/// An [InetSocketAddress] takes 96 bytes in four objects, or 160 for IPv6, and few programs read
/// the address of each connection. The [InetSocketAddress] is created on the first read and cached.
/// An IPv4 address is stored in its IPv6-mapped form, which [InetAddress] maps back. Immutable
/// except for the cache; any thread. Addresses of Unix sockets have no small form: most peers are
/// unnamed.
public final class PackedAddress {

  private static final long IPV4_MAPPED = 0xffff_0000_0000L;
  private static final long UNSIGNED_INT = 0xffff_ffffL;
  private static final int IPV6_LENGTH = 16;

  private final long high;
  private final long low;
  private final int scope;
  private final char port;
  private volatile @Nullable InetSocketAddress unpacked;

  private PackedAddress(
      long high, long low, int scope, int port, @Nullable InetSocketAddress unpacked) {
    this.high = high;
    this.low = low;
    this.scope = scope;
    this.port = (char) port;
    this.unpacked = unpacked;
  }

  /// Holds an address that is already unpacked.
  public static PackedAddress of(InetSocketAddress address) {
    return new PackedAddress(0, 0, 0, address.getPort(), address);
  }

  /// Reads a `sockaddr_in` or `sockaddr_in6`; null if it has another family.
  public static @Nullable PackedAddress read(long source) {
    int port = Memory.getShort(source, 2) & 0xffff;
    return switch (SocketAddresses.family(source)) {
      case SocketConstants.AF_INET -> {
        long ipv4 = Memory.getInt(source, 4) & UNSIGNED_INT;
        yield new PackedAddress(0, IPV4_MAPPED | ipv4, 0, port, null);
      }
      case SocketConstants.AF_INET6 ->
          new PackedAddress(
              Memory.getLong(source, 8),
              Memory.getLong(source, 16),
              SocketAddresses.scope(source),
              port,
              null);
      default -> null;
    };
  }

  /// The address as an object of the JDK.
  public InetSocketAddress unpack() {
    @Nullable InetSocketAddress known = unpacked;
    if (known == null) {
      known = new InetSocketAddress(inetAddress(), port);
      unpacked = known;
    }
    return known;
  }

  private InetAddress inetAddress() {
    byte[] bytes = ByteBuffer.allocate(IPV6_LENGTH).putLong(high).putLong(low).array();
    try {
      InetAddress address = InetAddress.getByAddress(bytes);
      return scope != 0 && address instanceof Inet6Address
          ? Inet6Address.getByAddress(null, bytes, scope)
          : address;
    } catch (UnknownHostException e) {
      throw new AssertionError("16 bytes are an address", e);
    }
  }

  @Override
  public String toString() {
    return unpack().toString();
  }
}
