package dev.quickwater.tls.library;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The certificates that are linked to the peer's by signatures. A peer may also send certificates
/// of other owners, so only linked ones prove anything.
final class IssuerPath {

  private IssuerPath() {}

  /// The first certificate of the chain, and behind each certificate its issuer, which is either in
  /// the chain or an anchor.
  static List<X509Certificate> of(List<X509Certificate> chain, List<X509Certificate> anchors) {
    List<X509Certificate> path = new ArrayList<>();
    path.add(chain.getFirst());
    while (path.size() <= chain.size()) {
      X509Certificate last = path.getLast();
      if (isIssuer(last, last)) {
        break;
      }
      @Nullable X509Certificate issuer = issuer(last, chain);
      if (issuer == null || path.contains(issuer)) {
        issuer = issuer(last, anchors);
      }
      if (issuer == null || path.contains(issuer)) {
        break;
      }
      path.add(issuer);
    }
    return path;
  }

  private static @Nullable X509Certificate issuer(
      X509Certificate certificate, List<X509Certificate> candidates) {
    for (X509Certificate candidate : candidates) {
      if (isIssuer(candidate, certificate)) {
        return candidate;
      }
    }
    return null;
  }

  private static boolean isIssuer(X509Certificate issuer, X509Certificate certificate) {
    if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }
}
