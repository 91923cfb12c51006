package dev.quickwater.tls.library;

import dev.quickwater.util.net.HostPort;
import dev.quickwater.util.net.IpAddress;
import java.net.IDN;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The one form in which all parts of TLS compare host names: A-labels (RFC 5890) in lower case,
/// without a trailing dot.
public final class HostName {

  private HostName() {}

  /// The name in the common form, or the address without brackets.
  ///
  /// @throws IllegalArgumentException if the text is neither a host name nor an IP address
  public static String of(String host) {
    String text = host;
    if (text.startsWith("[") && text.endsWith("]")) {
      text = text.substring(1, text.length() - 1);
    }
    @Nullable IpAddress address = IpAddress.parse(text);
    if (address != null) {
      return address.withoutZone().toString();
    }
    if (text.endsWith(".")) {
      text = text.substring(0, text.length() - 1);
    }
    @Nullable String valid = valid(isAscii(text) ? text : toAscii(text));
    if (valid == null) {
      throw new IllegalArgumentException("host is '" + host + "', expected a host name or address");
    }
    return valid;
  }

  /// The name in lower case; null for everything that is not a host name in ASCII without a
  /// trailing dot, addresses among them.
  public static @Nullable String valid(String name) {
    if (name.isEmpty() || name.endsWith(".") || !isAscii(name)) {
      return null;
    }
    try {
      HostPort checked = new HostPort(name, 0);
      return checked.address() == null ? name.toLowerCase(Locale.ROOT) : null;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /// True if the host is an address and not a name; addresses are not sent as SNI (RFC 6066 section
  /// 3).
  public static boolean isAddress(String host) {
    return IpAddress.parse(host) != null;
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static String toAscii(String name) {
    try {
      return IDN.toASCII(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "host is '" + name + "', which is not an international host name", e);
    }
  }
}
