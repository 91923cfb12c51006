package dev.quickwater.util.net;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// A network: all addresses that begin with the same bits, as `10.0.0.0/8` (RFC 4632) or
/// `2001:db8::/32` (RFC 4291 section 2.3).
///
/// - A network is written with its first address. Bits behind the prefix are an error, because they
///   usually are a mistake; [#around] accepts them.
/// - An IPv4-mapped IPv6 address belongs to the networks of its IPv4 address only. A network inside
///   `::ffff:0:0/96` is the IPv4 network.
/// - Addresses with a zone are compared without it; a network has none.
/// - Immutable; networks are ordered by first address, a larger one before those within it.
public final class Cidr implements Comparable<Cidr> {

  private static final String FORM = "a prefix length: 0 to 128 without leading zeros";
  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;
  private static final int MAPPED_BITS = IPV6_BITS - IPV4_BITS;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

  private final IpAddress first;
  private final int prefix;

  // An address is inside the network if the masked address equals the network's first one. For an
  // address of the other family the result is never NONE.
  private static final int NONE = 1;

  private final int ipv4Mask;
  private final int ipv4Bits;
  private final long highMask;
  private final long highBits;
  private final long lowMask;
  private final long lowBits;

  private Cidr(IpAddress within, int prefix) {
    this.prefix = prefix;
    if (within.isIpv4()) {
      ipv4Mask = (int) mask(prefix + IPV4_BITS);
      ipv4Bits = (int) within.low() & ipv4Mask;
      highMask = 0;
      highBits = NONE;
      lowMask = 0;
      lowBits = NONE;
      first = IpAddress.ofIpv4(ipv4Bits);
    } else {
      ipv4Mask = 0;
      ipv4Bits = NONE;
      highMask = mask(Math.min(prefix, Long.SIZE));
      highBits = within.high() & highMask;
      lowMask = mask(Math.max(0, prefix - Long.SIZE));
      lowBits = within.low() & lowMask;
      first = IpAddress.ofIpv6(highBits, lowBits);
    }
  }

  /// The given number of ones, 0 to 64, followed by zeros.
  private static long mask(int ones) {
    return ones == 0 ? 0 : -1L << Long.SIZE - ones;
  }

  /// The network of a text such as `10.0.0.0/8`.
  ///
  /// @throws IllegalArgumentException if it is not an address, a slash and a prefix length, or if
  ///   bits behind the prefix are set. The message then has the network without these bits.
  public static Cidr of(CharSequence text) {
    int slash = slash(text);
    return of(IpAddress.of(text.subSequence(0, slash)), prefix(text, slash + 1));
  }

  /// The network that begins with `first`.
  ///
  /// @param prefix how many bits are the network's, 0 to 32 for IPv4 and 128 for IPv6
  /// @throws IllegalArgumentException if the prefix is out of range, if bits behind it are set, or
  ///   if the address has a zone
  public static Cidr of(IpAddress first, int prefix) {
    Cidr network = around(first, prefix);
    IpAddress given = network.first.isIpv4() ? first.unmapped() : first;
    if (!network.first.equals(given)) {
      throw new IllegalArgumentException(
          "%s/%d has bits behind its prefix; the network is %s, which Cidr.around accepts"
              .formatted(first, prefix, network));
    }
    return network;
  }

  /// Like [#of(CharSequence)], for the text of any address of the network.
  ///
  /// @throws IllegalArgumentException if it is not an address, a slash and a prefix length
  public static Cidr around(CharSequence text) {
    int slash = slash(text);
    return around(IpAddress.of(text.subSequence(0, slash)), prefix(text, slash + 1));
  }

  /// The network of any of its addresses.
  ///
  /// @param prefix how many bits are the network's, 0 to 32 for IPv4 and 128 for IPv6
  /// @throws IllegalArgumentException if the prefix is out of range or the address has a zone
  public static Cidr around(IpAddress address, int prefix) {
    int max = address.isIpv4() ? IPV4_BITS : IPV6_BITS;
    if (prefix < 0 || prefix > max) {
      throw new IllegalArgumentException(
          "prefix length %d of %s, expected 0 to %d".formatted(prefix, address, max));
    }
    if (address.zone() != null) {
      throw new IllegalArgumentException(address + " has a zone, which a network cannot have");
    }
    return address.isMapped() && prefix >= MAPPED_BITS
        ? new Cidr(address.unmapped(), prefix - MAPPED_BITS)
        : new Cidr(address, prefix);
  }

  /// The network of one address alone.
  ///
  /// @throws IllegalArgumentException if the address has a zone
  public static Cidr of(IpAddress address) {
    return around(address, address.isIpv4() ? IPV4_BITS : IPV6_BITS);
  }

  private static int slash(CharSequence text) {
    int end = Math.min(text.length(), Ipv6.MAX_LENGTH + 1);
    for (int i = 0; i < end; i++) {
      if (text.charAt(i) == '/') {
        return i;
      }
    }
    throw Input.failure(text, end, "a network: an address, a slash and a prefix length");
  }

  private static int prefix(CharSequence text, int from) {
    int length = text.length();
    int prefix = 0;
    for (int i = from; i < length; i++) {
      int digit = text.charAt(i) - '0';
      boolean leadingZero = i > from && prefix == 0;
      if (digit < 0 || digit > 9 || leadingZero || i == from + 3) {
        throw Input.failure(text, i, FORM);
      }
      prefix = prefix * 10 + digit;
    }
    if (from == length) {
      throw Input.failure(text, from, FORM);
    }
    return prefix;
  }

  /// The first address.
  public IpAddress first() {
    return first;
  }

  /// The last address; for IPv4 the broadcast address.
  public IpAddress last() {
    return first.isIpv4()
        ? IpAddress.ofIpv4(ipv4Bits | ~ipv4Mask)
        : IpAddress.ofIpv6(highBits | ~highMask, lowBits | ~lowMask);
  }

  /// How many bits are the network's: 0 to 32 for IPv4, 0 to 128 for IPv6.
  public int prefix() {
    return prefix;
  }

  /// Whether an address is within the network.
  public boolean contains(IpAddress address) {
    return address.isIpv4()
        ? containsIpv4((int) address.low())
        : containsIpv6(address.high(), address.low());
  }

  /// Whether an address is inside the network. The JDK returns its bytes as a new array, the one
  /// object that this method may allocate.
  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == Integer.BYTES
        ? containsIpv4(Ipv4.ofBytes(bytes))
        : containsIpv6((long) LONG.get(bytes, 0), (long) LONG.get(bytes, Long.BYTES));
  }

  /// Whether an IPv4 address, given as in [Ipv4], is within the network.
  public boolean containsIpv4(int address) {
    return (address & ipv4Mask) == ipv4Bits;
  }

  /// Whether an IPv6 address, given as in [Ipv6], is inside the network. A mapped address counts as
  /// its IPv4 address.
  public boolean containsIpv6(long high, long low) {
    if (high == 0 && low >>> IPV4_BITS == 0xffff) {
      return containsIpv4((int) low);
    }
    return (high & highMask ^ highBits | low & lowMask ^ lowBits) == 0;
  }

  /// Whether all addresses of `other` are within this network.
  public boolean contains(Cidr other) {
    if (other.prefix < prefix || other.first.isIpv4() != first.isIpv4()) {
      return false;
    }
    return first.isIpv4()
        ? containsIpv4(other.ipv4Bits)
        : (other.highBits & highMask ^ highBits | other.lowBits & lowMask ^ lowBits) == 0;
  }

  /// Whether an address is within both networks; then one is within the other.
  public boolean overlaps(Cidr other) {
    return contains(other) || other.contains(this);
  }

  @Override
  public int compareTo(Cidr other) {
    int byFirst = first.compareTo(other.first);
    return byFirst != 0 ? byFirst : Integer.compare(prefix, other.prefix);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cidr cidr && cidr.prefix == prefix && cidr.first.equals(first);
  }

  @Override
  public int hashCode() {
    return 31 * first.hashCode() + prefix;
  }

  @Override
  public String toString() {
    return first + "/" + prefix;
  }
}
