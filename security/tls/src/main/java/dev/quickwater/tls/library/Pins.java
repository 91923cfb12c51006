package dev.quickwater.tls.library;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/// Pinned public keys (RFC 7469 section 2.6).
final class Pins {

  private Pins() {}

  /// Requires that a key of the path is pinned, if there are pins.
  static void check(Set<String> pins, List<X509Certificate> path) throws TlsException {
    if (pins.isEmpty()) {
      return;
    }
    List<String> found = new ArrayList<>();
    for (X509Certificate certificate : path) {
      String pin = pin(certificate);
      if (pins.contains(pin)) {
        return;
      }
      found.add(pin);
    }
    throw TlsException.local(
        TlsAlert.BAD_CERTIFICATE,
        "the certificate of "
            + PeerVerifier.describe(path.getFirst())
            + " has no pinned key: its keys are "
            + found
            + " (setting pins)");
  }

  /// The SHA-256 hash of the public key in Base64.
  static String pin(X509Certificate certificate) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(certificate.getPublicKey().getEncoded());
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
