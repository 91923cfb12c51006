package dev.quickwater.tls;

import dev.quickwater.tls.pem.PemCertificates;
import dev.quickwater.util.setting.SettingCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.X509TrustManager;

/// Which peers are trusted; immutable.
///
/// @param anchors the issuers whose certificates are accepted
/// @param pins SHA-256 hashes of public keys in Base64, as in RFC 7469 section 2.4. If there are
///   any, one of them must belong to the peer's certificate or to one of its issuers; certificates
///   that are not linked by signatures do not count
/// @param clientAuth whether a server requests a certificate of its clients
/// @param hostCheck whether a client compares the host name with the certificate
public record TlsTrust(
    Anchors anchors, Set<String> pins, ClientAuth clientAuth, HostCheck hostCheck) {

  /// 32 bytes in Base64.
  private static final Pattern PIN = Pattern.compile("[A-Za-z0-9+/]{43}=");

  /// The issuers whose certificates are accepted.
  public sealed interface Anchors {

    /// The certificates that the operating system trusts: the file in the environment variable
    /// `SSL_CERT_FILE`, otherwise the bundle of the system. If that file cannot be used, or the
    /// system has no bundle, those of the JDK. Read once in a process.
    record OfSystem() implements Anchors {}

    /// Given certificates, at least one.
    record Given(List<X509Certificate> certificates) implements Anchors {

      /// Copies the list.
      public Given {
        certificates = List.copyOf(certificates);
      }
    }

    /// A trust manager, which checks the chain. The host name is checked in addition. Its methods
    /// run on event loops and must not block.
    record Manager(X509TrustManager manager) implements Anchors {}
  }

  /// Whether a server requests a certificate of its clients.
  public enum ClientAuth {
    /// No certificate is requested.
    NONE,
    /// A client may present a certificate, which must then be trusted.
    OPTIONAL,
    /// A client without a trusted certificate is refused.
    REQUIRED
  }

  /// Whether a client compares the host name with the certificate (RFC 9525).
  public enum HostCheck {
    /// The certificate must be valid for the host name or address.
    VERIFY,
    /// Any name is accepted, so every holder of a trusted certificate can impersonate the server.
    OFF
  }

  /// The anchors of the system, no pins, no client certificates, host names verified.
  public static final TlsTrust DEFAULT =
      new TlsTrust(new Anchors.OfSystem(), Set.of(), ClientAuth.NONE, HostCheck.VERIFY);

  /// Copies the set.
  ///
  /// @throws IllegalArgumentException if a pin is not a SHA-256 hash in Base64
  public TlsTrust {
    pins = Set.copyOf(pins);
    for (String pin : pins) {
      SettingCheck.require(
          PIN.matcher(pin).matches(), "pins", pins, "SHA-256 hashes in Base64, 44 characters each");
    }
  }

  /// These rules with other anchors.
  public TlsTrust withAnchors(Anchors other) {
    return new TlsTrust(other, pins, clientAuth, hostCheck);
  }

  /// These rules with given certificates as the only anchors.
  public TlsTrust withCertificates(X509Certificate... certificates) {
    return withAnchors(new Anchors.Given(List.of(certificates)));
  }

  /// These rules with the certificates of a PEM file as the only anchors.
  ///
  /// @throws IllegalArgumentException if the file has no certificate or a malformed one; the
  ///   message has the file, and the line of a malformed one
  /// @throws UncheckedIOException if the file cannot be read
  public TlsTrust withCertificates(Path pem) {
    try {
      return withAnchors(
          new Anchors.Given(PemCertificates.read(pem.toString(), Files.readAllBytes(pem))));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + pem, e);
    }
  }

  /// These rules with other pins.
  public TlsTrust withPins(String... other) {
    return new TlsTrust(anchors, Set.of(other), clientAuth, hostCheck);
  }

  /// These rules with another request of client certificates.
  public TlsTrust withClientAuth(ClientAuth other) {
    return new TlsTrust(anchors, pins, other, hostCheck);
  }

  /// These rules with another check of host names.
  public TlsTrust withHostCheck(HostCheck other) {
    return new TlsTrust(anchors, pins, clientAuth, other);
  }
}
