package dev.quickwater.http;

import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.util.net.Ipv6;
import dev.quickwater.util.text.Ascii;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A host and an optional port (RFC 9110 section 7.2). User information is refused.
///
/// @param host a name, an IPv4 address, or an IPv6 address without brackets, in lower case; empty
///   if the sender gave an empty Host. Percent-encoding is checked and not decoded
/// @param port 0 to 65535, or -1 for the default port of the scheme
public record Authority(String host, int port) {

  private static final int MAX_PORT = 65535;
  private static final int MAX_PORT_DIGITS = 5;

  /// unreserved, percent-encoded or sub-delims of RFC 3986 section 3.2.2.
  private static final boolean[] NAME = new boolean[256];

  static {
    for (char c = '0'; c <= '9'; c++) {
      NAME[c] = true;
    }
    for (char c = 'a'; c <= 'z'; c++) {
      NAME[c] = true;
      NAME[c - 32] = true;
    }
    for (char c : "-._~%!$&'()*+,;=".toCharArray()) {
      NAME[c] = true;
    }
  }

  /// Checks host and port.
  ///
  /// @throws IllegalArgumentException if the host has a character that no host has, or the port is
  ///   out of range
  public Authority {
    if (port < -1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + ", expected 0 to " + MAX_PORT + " or -1");
    }
    byte[] bytes = ascii(host);
    @Nullable String fault =
        host.indexOf(':') >= 0
            ? addressFault(bytes, 0, bytes.length)
            : nameFault(bytes, 0, bytes.length);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    host = host.toLowerCase(Locale.ROOT);
  }

  /// The authority of a text such as `example.org:8080` or `[::1]`.
  ///
  /// @throws IllegalArgumentException if the text is not an authority
  public static Authority of(String text) {
    byte[] bytes = ascii(text);
    @Nullable String fault = fault(bytes, 0, bytes.length);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    return checked(bytes, 0, bytes.length);
  }

  /// For parsers: why the bytes are not an authority; null if they are.
  @SuppressWarnings("exports")
  public static @Nullable String fault(EngineAccess access, byte[] text, int start, int end) {
    Objects.requireNonNull(access);
    return fault(text, start, end);
  }

  /// For parsers: the authority of bytes without a [#fault].
  @SuppressWarnings("exports")
  public static Authority checked(EngineAccess access, byte[] text, int start, int end) {
    Objects.requireNonNull(access);
    return checked(text, start, end);
  }

  static @Nullable String fault(byte[] text, int start, int end) {
    int hostEnd = hostEnd(text, start, end);
    if (hostEnd < 0) {
      return "the host is not an IPv6 address in brackets";
    }
    @Nullable String fault =
        start < end && text[start] == '['
            ? addressFault(text, start + 1, hostEnd - 1)
            : nameFault(text, start, hostEnd);
    if (fault != null || hostEnd == end) {
      return fault;
    }
    if (text[hostEnd] != ':') {
      return "the host has the character " + Grammar.describe(text[hostEnd] & 0xff);
    }
    return portFault(text, hostEnd + 1, end);
  }

  private static int hostEnd(byte[] text, int start, int end) {
    int i = start;
    if (i < end && text[i] == '[') {
      while (i < end && text[i] != ']') {
        i++;
      }
      return i == end ? -1 : i + 1;
    }
    while (i < end && text[i] != ':') {
      i++;
    }
    return i;
  }

  private static @Nullable String nameFault(byte[] text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!NAME[text[i] & 0xff]) {
        return "the host has the character " + Grammar.describe(text[i] & 0xff);
      }
      if (text[i] == '%'
          && (i + 2 >= end || Ascii.hexDigit(text[i + 1]) < 0 || Ascii.hexDigit(text[i + 2]) < 0)) {
        return "the host has a '%' that two hexadecimal digits do not follow";
      }
    }
    return null;
  }

  /// A zone is refused, because it is meaningful only on the sender's machine.
  private static @Nullable String addressFault(byte[] text, int start, int end) {
    return Ipv6.isValid(text, start, end) ? null : "the host is not an IPv6 address in brackets";
  }

  /// An empty port is the default one (RFC 3986 section 3.2.3).
  private static @Nullable String portFault(byte[] text, int start, int end) {
    if (end - start > MAX_PORT_DIGITS) {
      return "the port of the host has more than 5 digits";
    }
    if (Ascii.parseDigits(text, start, end) > MAX_PORT) {
      return "the port of the host is above " + MAX_PORT;
    }
    for (int i = start; i < end; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return "the host has the character " + Grammar.describe(text[i] & 0xff);
      }
    }
    return null;
  }

  private static Authority checked(byte[] text, int start, int end) {
    int hostEnd = hostEnd(text, start, end);
    int bracket = start < end && text[start] == '[' ? 1 : 0;
    return new Authority(
        latin(text, start + bracket, hostEnd - bracket),
        (int) Ascii.parseDigits(text, hostEnd + 1, end));
  }

  private static String latin(byte[] text, int start, int end) {
    return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// The form of Host: an IPv6 address in brackets, no port if it is the default.
  @Override
  public String toString() {
    String host = this.host.indexOf(':') >= 0 ? "[" + this.host + "]" : this.host;
    return port < 0 ? host : host + ":" + port;
  }
}
