package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Memory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The address of a peer in 24 bytes, or 40 for IPv6.
///
/// An [InetSocketAddress] takes 96 bytes in four objects, or 160 for IPv6, and few programs read
/// the address of each connection. The [InetSocketAddress] is created on the first read and cached.
/// An IPv4-mapped IPv6 address is stored as IPv4; [InetAddress] converts it in the same way.
/// Addresses of Unix sockets are not packed, because most peers are unnamed. Immutable except for
/// the cache; any thread.
public abstract sealed class PackedAddress {

  private static final int IPV4_MAPPED = 0xffff;

  private final char port;
  private volatile @Nullable InetSocketAddress unpacked;

  private PackedAddress(int port, @Nullable InetSocketAddress unpacked) {
    this.port = (char) port;
    this.unpacked = unpacked;
  }

  /// Holds an address that is already unpacked.
  public static PackedAddress of(InetSocketAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress().getAddress());
    return address.getAddress() instanceof Inet6Address six
        ? new Six(bytes.getLong(), bytes.getLong(), six.getScopeId(), address.getPort(), address)
        : new Four(bytes.getInt(), address.getPort(), address);
  }

  /// Reads a `sockaddr_in` or `sockaddr_in6`; null for another family.
  public static @Nullable PackedAddress read(long source) {
    int port = Memory.getShort(source, 2) & 0xffff;
    int family = SocketAddresses.family(source);
    if (family == SocketConstants.AF_INET) {
      return new Four(Memory.getInt(source, 4), port, null);
    }
    if (family != SocketConstants.AF_INET6) {
      return null;
    }
    long high = Memory.getLong(source, 8);
    long low = Memory.getLong(source, 16);
    return high == 0 && low >>> 32 == IPV4_MAPPED
        ? new Four((int) low, port, null)
        : new Six(high, low, SocketAddresses.scope(source), port, null);
  }

  /// The address as a JDK object.
  public final InetSocketAddress unpack() {
    @Nullable InetSocketAddress known = unpacked;
    if (known == null) {
      try {
        known = new InetSocketAddress(inetAddress(), port);
      } catch (UnknownHostException e) {
        throw new AssertionError("4 and 16 bytes are an address", e);
      }
      unpacked = known;
    }
    return known;
  }

  abstract InetAddress inetAddress() throws UnknownHostException;

  private static final class Four extends PackedAddress {

    private final int address;

    Four(int address, int port, @Nullable InetSocketAddress unpacked) {
      super(port, unpacked);
      this.address = address;
    }

    @Override
    InetAddress inetAddress() throws UnknownHostException {
      return InetAddress.getByAddress(ByteBuffer.allocate(Integer.BYTES).putInt(address).array());
    }
  }

  private static final class Six extends PackedAddress {

    private final long high;
    private final long low;
    private final int scope;

    Six(long high, long low, int scope, int port, @Nullable InetSocketAddress unpacked) {
      super(port, unpacked);
      this.high = high;
      this.low = low;
      this.scope = scope;
    }

    @Override
    InetAddress inetAddress() throws UnknownHostException {
      byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
      InetAddress address = InetAddress.getByAddress(bytes);
      return scope != 0 && address instanceof Inet6Address
          ? Inet6Address.getByAddress(null, bytes, scope)
          : address;
    }
  }

  @Override
  public String toString() {
    return unpack().toString();
  }
}
