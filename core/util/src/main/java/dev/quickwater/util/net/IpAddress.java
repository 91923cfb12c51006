package dev.quickwater.util.net;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An IPv4 address, or an IPv6 address with an optional zone.
///
/// - Immutable. Equality is that of family, value and zone. An IPv4-mapped IPv6 address
///   (`::ffff:10.0.0.1`) is not equal to the IPv4 address; [#unmapped] makes them equal. The
///   classification (loopback, private and so on) is that of the unmapped address. A filter
///   therefore cannot be deceived by the other form.
/// - Texts have the forms of [Ipv4] and [Ipv6]. A zone (RFC 4007) is `%` and 1 to 32 letters,
///   digits, `-`, `.`, `_` and `~`. It is allowed for link-local and site-local addresses and for
///   multicast of less than global scope. The `%25` of URIs is not decoded.
/// - Names are never resolved.
public final class IpAddress implements Comparable<IpAddress> {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

  private static final int IPV4_SIZE = 4;

  private static final Comparator<@Nullable String> ZONES =
      Comparator.nullsFirst(Comparator.naturalOrder());

  private final long high;
  private final long low;
  private final boolean isIpv4;
  private final @Nullable String zone;

  private IpAddress(long high, long low, boolean isIpv4, @Nullable String zone) {
    this.high = high;
    this.low = low;
    this.isIpv4 = isIpv4;
    this.zone = zone;
  }

  /// The IPv4 address whose first byte is the highest of the number.
  public static IpAddress ofIpv4(int address) {
    return new IpAddress(0, address & 0xffff_ffffL, true, null);
  }

  /// The IPv6 address without a zone.
  public static IpAddress ofIpv6(long high, long low) {
    return new IpAddress(high, low, false, null);
  }

  /// The address of four or sixteen bytes.
  ///
  /// @throws IllegalArgumentException for any other length
  public static IpAddress of(byte[] bytes) {
    return switch (bytes.length) {
      case IPV4_SIZE -> ofIpv4((int) INT.get(bytes, 0));
      case Ipv6.SIZE -> ofIpv6((long) LONG.get(bytes, 0), (long) LONG.get(bytes, Long.BYTES));
      default ->
          throw new IllegalArgumentException(
              "an address of " + bytes.length + " bytes, expected 4 or 16");
    };
  }

  /// The JDK's address. The zone is the interface's name if that is known and valid, otherwise its
  /// number.
  public static IpAddress of(InetAddress address) {
    IpAddress plain = of(address.getAddress());
    if (!(address instanceof Inet6Address ipv6) || !Zone.isAllowed(plain.high)) {
      return plain;
    }
    @Nullable NetworkInterface link = ipv6.getScopedInterface();
    @Nullable String zone = Zone.of(link == null ? null : link.getName(), ipv6.getScopeId());
    return zone == null ? plain : new IpAddress(plain.high, plain.low, false, zone);
  }

  /// The text of the JDK's address without a name: the text of [#of(InetAddress)], without making
  /// that object.
  public static String toString(InetAddress address) {
    return address instanceof Inet4Address ipv4
        ? Ipv4.toString((int) INT.get(ipv4.getAddress(), 0))
        : of(address).toString();
  }

  /// The address, or null if the text is not an address.
  public static @Nullable IpAddress parse(CharSequence text) {
    int length = text.length();
    if (!isIpv6Like(text, length)) {
      long address = Ipv4.read(text, null, 0, length);
      return address < 0 ? null : ofIpv4((int) address);
    }
    byte[] bytes = new byte[Ipv6.SIZE];
    if (Ipv6.read(text, null, 0, length, bytes, 0) >= 0) {
      return of(bytes);
    }
    // Each address that may have a zone begins with this digit.
    int percent = (text.charAt(0) | 0x20) == 'f' ? percent(text, length) : -1;
    if (percent < 0 || Ipv6.read(text, null, 0, percent, bytes, 0) < 0) {
      return null;
    }
    IpAddress plain = of(bytes);
    return Zone.isAllowed(plain.high) && Zone.fault(text, percent + 1, length) < 0
        ? new IpAddress(
            plain.high, plain.low, false, text.subSequence(percent + 1, length).toString())
        : null;
  }

  /// Whether there is a colon in the first five characters. An IPv6 address must have one there, an
  /// IPv4 address cannot.
  private static boolean isIpv6Like(CharSequence text, int length) {
    int end = Math.min(length, 5);
    for (int i = 0; i < end; i++) {
      if (text.charAt(i) == ':') {
        return true;
      }
    }
    return false;
  }

  /// The index of the zone if it begins at a valid place. -1 leaves the refusal to [Ipv6].
  private static int percent(CharSequence text, int length) {
    int end = Math.min(length, Ipv6.MAX_LENGTH + 1);
    if (text instanceof String string) {
      return string.indexOf('%', Math.min(2, end), end);
    }
    for (int i = 2; i < end; i++) {
      if (text.charAt(i) == '%') {
        return i;
      }
    }
    return -1;
  }

  /// The address.
  ///
  /// @throws IllegalArgumentException if the text is not an address; the message has the index of
  ///   the error
  public static IpAddress of(CharSequence text) {
    @Nullable IpAddress address = parse(text);
    if (address == null) {
      throw failure(text);
    }
    return address;
  }

  private static IllegalArgumentException failure(CharSequence text) {
    int length = text.length();
    if (!isIpv6Like(text, length)) {
      return Input.failure(text, ~(int) Ipv4.read(text, null, 0, length), Ipv4.FORM);
    }
    int percent = percent(text, length);
    int fault = Ipv6.read(text, null, 0, percent < 0 ? length : percent, null, 0);
    if (fault < 0) {
      return Input.failure(text, ~fault, Ipv6.FORM);
    }
    int inZone = Zone.fault(text, percent + 1, length);
    return inZone >= 0
        ? Input.failure(text, inZone, Zone.FORM)
        : Input.failure(
            text,
            percent,
            "an address that is neither link-local, site-local nor multicast below global scope");
  }

  /// Whether this is an IPv4 address; otherwise it is an IPv6 address.
  public boolean isIpv4() {
    return isIpv4;
  }

  /// The first 64 bits; 0 for IPv4.
  public long high() {
    return high;
  }

  /// The last 64 bits; the whole address for IPv4.
  public long low() {
    return low;
  }

  /// The zone, the text behind the `%`, or null.
  public @Nullable String zone() {
    return zone;
  }

  /// This address without its zone.
  public IpAddress withoutZone() {
    return zone == null ? this : ofIpv6(high, low);
  }

  /// Whether this is an IPv4-mapped IPv6 address, `::ffff:0:0/96`.
  public boolean isMapped() {
    return !isIpv4 && high == 0 && low >>> 32 == 0xffff;
  }

  /// The IPv4 address of a mapped address; otherwise this address.
  public IpAddress unmapped() {
    return isMapped() ? ofIpv4((int) low) : this;
  }

  /// Whether [#unmapped] is an IPv4 address: then that is the lower half of [#low].
  boolean isIpv4OrMapped() {
    return isIpv4 || isMapped();
  }

  /// The loopback network `127.0.0.0/8`, or `::1`.
  public boolean isLoopback() {
    return isIpv4OrMapped() ? startsWith(0x7f, 8) : high == 0 && low == 1;
  }

  /// The unspecified address, `0.0.0.0` or `::`.
  public boolean isUnspecified() {
    return isIpv4OrMapped() ? (int) low == 0 : (high | low) == 0;
  }

  /// An address of private networks: RFC 1918, or the unique local addresses of RFC 4193
  /// (`fc00::/7`).
  public boolean isPrivate() {
    return isIpv4OrMapped()
        ? startsWith(0x0a, 8) || startsWith(0xac1, 12) || startsWith(0xc0a8, 16)
        : high >>> 57 == 0xfc >>> 1;
  }

  /// A link-local address: `169.254.0.0/16` (RFC 3927) or `fe80::/10`.
  public boolean isLinkLocal() {
    return isIpv4OrMapped() ? startsWith(0xa9fe, 16) : high >>> 54 == 0xfe80 >>> 6;
  }

  /// A multicast address: `224.0.0.0/4` or `ff00::/8`.
  public boolean isMulticast() {
    return isIpv4OrMapped() ? startsWith(0xe, 4) : high >>> 56 == 0xff;
  }

  /// Whether packets to this address may cross the Internet to one host. False for all classes
  /// above and for the blocks that IANA's registries of special-purpose addresses (RFC 6890) list
  /// as not globally reachable. A service that lets users name a target can check this.
  ///
  /// Translated addresses (NAT64 `64:ff9b::/96`, 6to4 `2002::/16`) count as the IPv4 address that
  /// they contain.
  public boolean isGlobal() {
    return SpecialAddresses.isGlobal(this);
  }

  private boolean startsWith(int bits, int count) {
    return (int) low >>> Integer.SIZE - count == bits;
  }

  /// A new array of four or sixteen bytes.
  public byte[] toByteArray() {
    byte[] bytes = new byte[isIpv4 ? IPV4_SIZE : Ipv6.SIZE];
    copyTo(bytes, 0);
    return bytes;
  }

  /// Writes the four or sixteen bytes to `target` from index `at`.
  ///
  /// @return the index behind them
  /// @throws IndexOutOfBoundsException if there is not enough room
  public int copyTo(byte[] target, int at) {
    if (!isIpv4) {
      Objects.checkFromIndexSize(at, Ipv6.SIZE, target.length);
      LONG.set(target, at, high);
      LONG.set(target, at + Long.BYTES, low);
      return at + Ipv6.SIZE;
    }
    Objects.checkFromIndexSize(at, IPV4_SIZE, target.length);
    INT.set(target, at, (int) low);
    return at + IPV4_SIZE;
  }

  /// The JDK's address: an `Inet4Address`, or an `Inet6Address`, which mapped addresses are, too. A
  /// zone that is a name is looked up among the interfaces of this machine.
  ///
  /// @throws IllegalStateException if no interface has the name of the zone
  public InetAddress toInetAddress() {
    try {
      byte[] bytes = toByteArray();
      if (isIpv4) {
        return InetAddress.getByAddress(bytes);
      }
      if (zone == null) {
        return Inet6Address.getByAddress(null, bytes, -1);
      }
      return Zone.isNumber(zone)
          ? Inet6Address.getByAddress(null, bytes, Integer.parseInt(zone))
          : Inet6Address.getByAddress(null, bytes, link(zone));
    } catch (UnknownHostException | SocketException e) {
      throw new IllegalStateException("zone " + zone + " cannot be used with " + this, e);
    }
  }

  private NetworkInterface link(String name) throws SocketException {
    @Nullable NetworkInterface link = NetworkInterface.getByName(name);
    if (link == null) {
      throw new IllegalStateException("zone " + name + " of " + this + " is no interface here");
    }
    return link;
  }

  /// IPv4 addresses first, then by value, then by zone.
  @Override
  public int compareTo(IpAddress other) {
    if (isIpv4 != other.isIpv4) {
      return isIpv4 ? -1 : 1;
    }
    int byHigh = Long.compareUnsigned(high, other.high);
    if (byHigh != 0) {
      return byHigh;
    }
    int byLow = Long.compareUnsigned(low, other.low);
    return byLow != 0 ? byLow : ZONES.compare(zone, other.zone);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof IpAddress address
            && address.high == high
            && address.low == low
            && address.isIpv4 == isIpv4
            && Objects.equals(address.zone, zone);
  }

  /// Mixed: neighbouring addresses spread, and the halves do not cancel each other.
  @Override
  public int hashCode() {
    long mixed = (high * 31 + low) * 0x9e37_79b9_7f4a_7c15L;
    return (int) (mixed ^ mixed >>> 32) + (zone == null ? 0 : zone.hashCode());
  }

  /// Writes the text without the zone to `target` from index `at`; at most 45 bytes.
  ///
  /// @return the index behind it
  /// @throws IndexOutOfBoundsException if there is not enough room; a part may have been written
  public int format(byte[] target, int at) {
    return isIpv4 ? Ipv4.format((int) low, target, at) : Ipv6.format(high, low, target, at);
  }

  /// Appends the text with the zone.
  public void append(StringBuilder target) {
    if (isIpv4) {
      Ipv4.append((int) low, target);
      return;
    }
    Ipv6.append(high, low, target);
    if (zone != null) {
      target.append('%').append(zone);
    }
  }

  /// The text, which [#parse] reads: RFC 5952 for IPv6.
  @Override
  public String toString() {
    if (isIpv4) {
      return Ipv4.toString((int) low);
    }
    String address = Ipv6.toString(high, low);
    return zone == null ? address : address + '%' + zone;
  }
}
