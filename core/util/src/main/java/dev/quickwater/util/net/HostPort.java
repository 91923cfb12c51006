package dev.quickwater.util.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// A host and a port, as in `example.org:443`, `192.0.2.1:80` or `[2001:db8::1]:80` (RFC 3986
/// section 3.2.2).
///
/// A host is an address or a name. A name has labels of letters, digits, `-` and `_` with dots
/// between them and optionally one at the end. A label has at most 63 characters and no `-` at an
/// end, a name at most 253 characters (RFC 1123 section 2.1, and the underscore, which is in use).
/// A host of digits and dots only must be an IPv4 address: no resolver then reads it differently.
/// IPv6 addresses are in brackets where a port may follow. Names are not resolved.
///
/// @param host an address in its canonical form without brackets, or a name as it was given
/// @param port 0 to 65535
public record HostPort(String host, int port) {

  private static final int MAX_NAME = 253;
  private static final int MAX_LABEL = 63;
  private static final int MAX_PORT = 65535;

  /// The longest IPv6 address with its zone, which is longer than any address, and the brackets.
  private static final int MAX_ADDRESS = Ipv6.MAX_LENGTH + 1 + Zone.MAX_LENGTH;

  private static final String NAME_FORM =
      "a host: an address, or labels of 1 to 63 letters, digits, '-' and '_', 253 in total";

  /// Checks host and port.
  ///
  /// @throws IllegalArgumentException if the host is neither an address nor a name, or the port is
  ///   out of range
  public HostPort {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + ", expected 0 to " + MAX_PORT);
    }
    @Nullable IpAddress address = IpAddress.parse(host);
    if (address != null) {
      host = address.toString();
    } else {
      checkName(host);
    }
  }

  /// The host and port of a text that has both.
  ///
  /// @throws IllegalArgumentException if the text is not in the form `host:port`
  public static HostPort parse(CharSequence text) {
    return parse(text, -1);
  }

  /// The host and port of a text, with a port for one that has none.
  ///
  /// @param defaultPort 0 to 65535, or -1 if the text has to have one
  /// @throws IllegalArgumentException if the text is not in the form `host` or `host:port`
  public static HostPort parse(CharSequence text, int defaultPort) {
    int length = text.length();
    if (length > 0 && text.charAt(0) == '[') {
      int close = indexOf(text, ']', 1, MAX_ADDRESS);
      IpAddress address = IpAddress.of(text.subSequence(1, close));
      if (address.isIpv4()) {
        throw Input.failure(text, 1, "brackets, which are for IPv6");
      }
      return new HostPort(address.toString(), port(text, close + 1, defaultPort));
    }
    int colon = indexOf(text, ':', 0, MAX_NAME + 1);
    return new HostPort(text.subSequence(0, colon).toString(), port(text, colon, defaultPort));
  }

  /// The index of `c` in the first `max` characters; otherwise the length of the text.
  private static int indexOf(CharSequence text, char c, int from, int max) {
    int end = Math.min(text.length(), from + max + 1);
    for (int i = from; i < end; i++) {
      if (text.charAt(i) == c) {
        return i;
      }
    }
    if (c == ']' || end < text.length()) {
      throw Input.failure(text, end, NAME_FORM);
    }
    return end;
  }

  /// The number behind the colon at `colon`.
  private static int port(CharSequence text, int colon, int defaultPort) {
    int length = text.length();
    if (colon == length && defaultPort >= 0) {
      return defaultPort;
    }
    String form = "a port: a colon and 0 to 65535 without leading zeros";
    if (colon == length || text.charAt(colon) != ':' || colon + 1 == length) {
      throw Input.failure(text, Math.min(colon + 1, length), form);
    }
    int port = 0;
    for (int i = colon + 1; i < length; i++) {
      int digit = text.charAt(i) - '0';
      boolean leadingZero = i > colon + 1 && port == 0;
      if (digit < 0 || digit > 9 || leadingZero || port * 10 + digit > MAX_PORT) {
        throw Input.failure(text, i, form);
      }
      port = port * 10 + digit;
    }
    return port;
  }

  private static void checkName(String host) {
    int length = host.length();
    if (length == 0 || length > MAX_NAME + 1) {
      throw Input.failure(host, Math.min(length, MAX_NAME), NAME_FORM);
    }
    int start = 0;
    int last = 0;
    for (int i = 0; i <= length; i++) {
      char c = i == length ? '.' : host.charAt(i);
      if (c == '.') {
        boolean isRoot = i == length && start == length && start > 1;
        if (!isRoot && isBadLabel(host, start, i)) {
          throw Input.failure(host, i, NAME_FORM);
        }
        last = isRoot ? last : start;
        start = i + 1;
      } else if (!isOfName(c)) {
        throw Input.failure(host, i, NAME_FORM);
      }
    }
    if (isNumber(host, last)) {
      throw Input.failure(host, last, Ipv4.FORM);
    }
    if (length > MAX_NAME && host.charAt(length - 1) != '.') {
      throw Input.failure(host, MAX_NAME, NAME_FORM);
    }
  }

  private static boolean isBadLabel(String host, int from, int to) {
    return from == to
        || to - from > MAX_LABEL
        || host.charAt(from) == '-'
        || host.charAt(to - 1) == '-';
  }

  /// Whether the last label is one that resolvers read as a number.
  private static boolean isNumber(String host, int from) {
    boolean isHex = host.startsWith("0x", from) || host.startsWith("0X", from);
    for (int i = isHex ? from + 2 : from; i < host.length() && host.charAt(i) != '.'; i++) {
      if (Character.digit(host.charAt(i), isHex ? 16 : 10) < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfName(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '-'
        || c == '_';
  }

  /// The host as an address, or null when it is a name.
  public @Nullable IpAddress address() {
    return IpAddress.parse(host);
  }

  /// The JDK's address: resolved if the host is an address, otherwise unresolved. A zone that is a
  /// name is looked up among the interfaces of this machine.
  ///
  /// @throws IllegalStateException if no interface has the name of the zone, or the address cannot
  ///   be used with it; the message has the zone and the host
  public InetSocketAddress toSocketAddress() {
    @Nullable IpAddress address = address();
    if (address == null) {
      return InetSocketAddress.createUnresolved(host, port);
    }
    try {
      return new InetSocketAddress(address.toInetAddress(), port);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          this
              + " has no socket address here: zone '"
              + address.zone()
              + "' of host '"
              + host
              + "' is no interface of this machine that the address can be used with",
          e);
    }
  }

  /// The text, which [#parse(CharSequence)] reads.
  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ':' + port : '[' + host + "]:" + port;
  }
}
