package dev.quickwater.tls.library;

import dev.quickwater.util.net.IpAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a certificate is for a host (RFC 9525).
///
/// - Only subject alternative names count; a common name never does (section 2).
/// - A wildcard is the whole leftmost label and matches one label (section 6.3). It needs two
///   labels behind it, which is stricter than the RFC: `*.com` matches nothing.
/// - Addresses match address entries only, by value.
final class HostMatch {

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private HostMatch() {}

  /// Whether the certificate is for the host, a name or an address.
  static boolean matches(X509Certificate certificate, String host) {
    String wanted;
    try {
      wanted = HostName.of(host);
    } catch (IllegalArgumentException _) {
      return false;
    }
    @Nullable IpAddress address = IpAddress.parse(wanted);
    for (List<?> entry : alternativeNames(certificate)) {
      boolean matches =
          address == null
              ? entry.get(0).equals(DNS_NAME) && matchesName((String) entry.get(1), wanted)
              : entry.get(0).equals(IP_ADDRESS) && address.equals(address(entry.get(1)));
      if (matches) {
        return true;
      }
    }
    return false;
  }

  /// The names of the certificate, for messages.
  static List<String> names(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    for (List<?> entry : alternativeNames(certificate)) {
      if (entry.get(0).equals(DNS_NAME) || entry.get(0).equals(IP_ADDRESS)) {
        names.add(String.valueOf(entry.get(1)));
      }
    }
    return names;
  }

  private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
    try {
      @Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names;
    } catch (CertificateParsingException _) {
      return List.of();
    }
  }

  private static boolean matchesName(String pattern, String host) {
    boolean wildcard = pattern.startsWith("*.");
    // Valid names only: no wildcard elsewhere, no trailing dot, no NUL, ASCII.
    @Nullable String rest = HostName.valid(wildcard ? pattern.substring(2) : pattern);
    if (rest == null) {
      return false;
    }
    if (!wildcard) {
      return rest.equals(host);
    }
    int dot = host.indexOf('.');
    return rest.indexOf('.') > 0 && dot > 0 && host.substring(dot + 1).equals(rest);
  }

  /// The JDK returns addresses as text, IPv6 ones in their full form.
  private static @Nullable IpAddress address(@Nullable Object value) {
    return value instanceof String text ? IpAddress.parse(text) : null;
  }
}
