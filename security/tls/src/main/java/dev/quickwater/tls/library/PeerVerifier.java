package dev.quickwater.tls.library;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.TlsTrust.Anchors;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Decides whether a peer is trusted, for all libraries: the chain, the pins, the host name, the
/// stapled OCSP response. Thread-safe.
///
/// - **A trust manager of the user** decides about the chain alone, and receives neither engine nor
///   socket. Pins, host name and OCSP response are checked in addition.
/// - **No network access:** revocation is checked only by stapled responses.
public final class PeerVerifier {

  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_USAGE = "2.5.29.37.0";

  private final TlsTrust trust;
  private final X509TrustManager manager;
  private final List<X509Certificate> anchors;

  private PeerVerifier(TlsTrust trust) {
    this.trust = trust;
    switch (trust.anchors()) {
      case Anchors.OfSystem _ -> {
        anchors = SystemAnchors.certificates();
        manager = SystemAnchors.manager();
      }
      case Anchors.Given given -> {
        anchors = given.certificates();
        manager = PlatformTrust.manager(anchors);
      }
      case Anchors.Manager ofUser -> {
        anchors = List.of();
        manager = ofUser.manager();
      }
    }
  }

  /// A verifier with these rules.
  ///
  /// @throws IllegalArgumentException if the rules cannot be used; the message names the setting
  public static PeerVerifier of(TlsTrust trust) {
    return new PeerVerifier(trust);
  }

  /// Checks a server.
  ///
  /// @param chain the certificate of the server first
  /// @param authType the key exchange and authentication as in
  ///   [javax.net.ssl.X509TrustManager#checkServerTrusted], `UNKNOWN` for TLS 1.3
  /// @param host the host name or IP address that the certificate must match; null if the settings
  ///   do not verify it
  /// @param stapled the OCSP responses that the server sent, by certificate of the chain; empty if
  ///   there are none
  /// @throws TlsException with the alert to send; the message names the certificate, the reason and
  ///   the setting
  public void verifyServer(
      List<X509Certificate> chain, String authType, @Nullable String host, List<byte[]> stapled)
      throws TlsException {
    X509Certificate first = first(chain);
    checkPlatformRules(first, SERVER_AUTH, "TLS server authentication");
    X509Certificate[] array = chain.toArray(X509Certificate[]::new);
    checkChain(first, () -> manager.checkServerTrusted(array, authType));
    List<X509Certificate> path = IssuerPath.of(chain, anchors);
    Pins.check(trust.pins(), path);
    if (host != null && !HostMatch.matches(first, host)) {
      throw TlsException.local(
          TlsAlert.CERTIFICATE_UNKNOWN,
          "the certificate of "
              + describe(first)
              + " is for "
              + HostMatch.names(first)
              + ", not for "
              + host
              + " (setting hostCheck)");
    }
    StapledResponses.requireStaple(first, stapled);
    StapledResponses.check(path, stapled);
  }

  /// Checks a client.
  ///
  /// @param chain the certificate of the client first
  /// @param authType the type of the key, for example `EC`
  /// @throws TlsException as [#verifyServer]
  public void verifyClient(List<X509Certificate> chain, String authType) throws TlsException {
    X509Certificate first = first(chain);
    checkPlatformRules(first, CLIENT_AUTH, "TLS client authentication");
    X509Certificate[] array = chain.toArray(X509Certificate[]::new);
    checkChain(first, () -> manager.checkClientTrusted(array, authType));
    Pins.check(trust.pins(), IssuerPath.of(chain, anchors));
  }

  private static X509Certificate first(List<X509Certificate> chain) throws TlsException {
    if (chain.isEmpty()) {
      throw TlsException.local(TlsAlert.BAD_CERTIFICATE, "the peer sent no certificate");
    }
    return chain.getFirst();
  }

  /// Validity and usage: the trust manager of the platform does not check them for a certificate
  /// that is an anchor, and reports no reason for others.
  private void checkPlatformRules(X509Certificate certificate, String usage, String usageName)
      throws TlsException {
    if (trust.anchors() instanceof Anchors.Manager) {
      return;
    }
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw refused(
          TlsAlert.CERTIFICATE_EXPIRED,
          certificate,
          "expired on " + certificate.getNotAfter().toInstant(),
          e);
    } catch (CertificateNotYetValidException e) {
      throw refused(
          TlsAlert.CERTIFICATE_EXPIRED,
          certificate,
          "is not valid before " + certificate.getNotBefore().toInstant(),
          e);
    }
    @Nullable List<String> usages;
    try {
      usages = certificate.getExtendedKeyUsage();
    } catch (CertificateParsingException e) {
      throw refused(TlsAlert.BAD_CERTIFICATE, certificate, "has a malformed extension", e);
    }
    if (usages != null && !usages.contains(usage) && !usages.contains(ANY_USAGE)) {
      throw TlsException.local(
          TlsAlert.UNSUPPORTED_CERTIFICATE,
          "the certificate of "
              + describe(certificate)
              + " is not for "
              + usageName
              + " (extended key usage "
              + usages
              + ")");
    }
  }

  /// A check of a trust manager.
  private interface ChainCheck {
    void run() throws CertificateException;
  }

  private void checkChain(X509Certificate first, ChainCheck check) throws TlsException {
    try {
      check.run();
    } catch (CertificateException e) {
      boolean ofUser = trust.anchors() instanceof Anchors.Manager;
      TlsAlert alert = ChainAlerts.of(e, ofUser);
      String reason =
          alert == TlsAlert.UNKNOWN_CA
              ? "has an issuer that is not trusted (setting anchors)"
              : "is refused" + (ofUser ? " by the trust manager: " : ": ") + e.getMessage();
      throw refused(alert, first, reason, e);
    } catch (RuntimeException e) {
      throw refused(
          TlsAlert.INTERNAL_ERROR, first, "cannot be checked, the trust manager failed: " + e, e);
    }
  }

  private static TlsException refused(
      TlsAlert alert, X509Certificate certificate, String reason, Throwable cause) {
    return TlsException.local(
        alert, "the certificate of " + describe(certificate) + " " + reason, cause);
  }

  /// Subject and issuer, for messages.
  static String describe(X509Certificate certificate) {
    String subject = certificate.getSubjectX500Principal().getName();
    return (subject.isEmpty() ? "an empty subject" : subject)
        + ", issued by "
        + certificate.getIssuerX500Principal().getName()
        + ",";
  }

  /// The issuers that a server names when it requests a certificate. Empty for the anchors of the
  /// system, which are too many to name.
  public List<X509Certificate> acceptedIssuers() {
    return switch (trust.anchors()) {
      case Anchors.OfSystem _ -> List.of();
      case Anchors.Given given -> given.certificates();
      case Anchors.Manager ofUser -> List.of(ofUser.manager().getAcceptedIssuers());
    };
  }
}
