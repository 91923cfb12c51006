package dev.quickwater.tls.library;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.ocsp.CertificateExtensions;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// OCSP responses (RFC 6960) that a server sent with its certificates. A response must be signed by
/// the issuer or its responder, be current, be about the certificate, and report it as good. A
/// missing response is accepted, unless the certificate requires one.
public final class StapledResponses {

  private StapledResponses() {}

  /// Checks the responses.
  ///
  /// @param path certificates, each followed by its issuer
  /// @param stapled responses in the order of the path; an empty one is missing
  public static void check(List<X509Certificate> path, List<byte[]> stapled) throws TlsException {
    for (int i = 0; i < Math.min(path.size(), stapled.size()); i++) {
      if (stapled.get(i).length > 0) {
        X509Certificate issuer = path.get(Math.min(i + 1, path.size() - 1));
        check(path.get(i), issuer, stapled.get(i));
      }
    }
  }

  /// Checks that a server has sent a response if its certificate requires one (RFC 7633).
  static void requireStaple(X509Certificate certificate, List<byte[]> stapled) throws TlsException {
    boolean required;
    try {
      required = CertificateExtensions.mustStaple(certificate);
    } catch (IllegalArgumentException e) {
      throw TlsException.local(
          TlsAlert.BAD_CERTIFICATE,
          "the certificate of "
              + PeerVerifier.describe(certificate)
              + " has a malformed extension for TLS features",
          e);
    }
    if (required && (stapled.isEmpty() || stapled.getFirst().length == 0)) {
      throw TlsException.local(
          TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE,
          "the certificate of "
              + PeerVerifier.describe(certificate)
              + " requires an OCSP response (must-staple), and the server sent none");
    }
  }

  private static void check(X509Certificate certificate, X509Certificate issuer, byte[] response)
      throws TlsException {
    try {
      CertPathValidator validator = CertPathValidator.getInstance("PKIX");
      PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
      checker.setOcspResponses(Map.of(certificate, response));
      // Never downloads a list.
      checker.setOptions(Set.of(PKIXRevocationChecker.Option.NO_FALLBACK));
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
      parameters.addCertPathChecker(checker);
      validator.validate(
          CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)),
          parameters);
    } catch (CertPathValidatorException e) {
      boolean revoked = e.getReason() == BasicReason.REVOKED;
      throw TlsException.local(
          revoked ? TlsAlert.CERTIFICATE_REVOKED : TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE,
          "the certificate of "
              + PeerVerifier.describe(certificate)
              + (revoked
                  ? " was revoked, according to its OCSP response: "
                  : " has an OCSP response that cannot be accepted: ")
              + e.getMessage(),
          e);
    } catch (GeneralSecurityException e) {
      throw TlsException.local(
          TlsAlert.INTERNAL_ERROR, "OCSP responses cannot be checked: " + e.getMessage(), e);
    }
  }
}
