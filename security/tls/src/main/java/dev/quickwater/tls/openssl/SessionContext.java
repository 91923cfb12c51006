package dev.quickwater.tls.openssl;

import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.TlsTrust.Anchors;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.TreeSet;

/// Which sessions a server may resume: those of the same identity whose clients were verified by
/// equal rules. Equal settings produce equal bytes on all hosts. A trust manager cannot be
/// compared, so its sessions are resumed only by the context that established them.
final class SessionContext {

  private final byte[] trust;

  SessionContext(TlsTrust trust) {
    this.trust = digest(trust);
  }

  /// The bytes for an identity, which depend on its names and not on its certificate: a renewed
  /// certificate keeps the sessions.
  byte[] of(TlsIdentities identities, TlsIdentity identity) {
    var names = new TreeSet<String>();
    if (identities.defaultIdentity() == identity) {
      names.add("");
    }
    identities
        .byName()
        .forEach((name, named) -> {
          if (named == identity) {
            names.add(name);
          }
        });
    MessageDigest digest = sha256();
    digest.update(trust);
    return digest.digest(String.join(",", names).getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] digest(TlsTrust trust) {
    MessageDigest digest = sha256();
    digest.update(trust.clientAuth().name().getBytes(StandardCharsets.US_ASCII));
    if (trust.clientAuth() == ClientAuth.NONE) {
      return digest.digest();
    }
    for (String pin : new TreeSet<>(trust.pins())) {
      digest.update(("pin " + pin).getBytes(StandardCharsets.UTF_8));
    }
    switch (trust.anchors()) {
      case Anchors.OfSystem _ -> digest.update((byte) 1);
      case Anchors.Given given -> {
        for (X509Certificate certificate : given.certificates()) {
          try {
            digest.update(certificate.getEncoded());
          } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("anchors: a certificate has no encoding", e);
          }
        }
      }
      case Anchors.Manager _ -> {
        byte[] unique = new byte[16];
        new SecureRandom().nextBytes(unique);
        digest.update(unique);
      }
    }
    return digest.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
