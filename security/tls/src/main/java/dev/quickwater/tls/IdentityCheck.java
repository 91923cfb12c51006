package dev.quickwater.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;

/// Whether a key and a chain of certificates belong together.
final class IdentityCheck {

  private static final System.Logger LOG = System.getLogger(TlsIdentity.class.getName());

  private static final byte[] PROBE = "dev.quickwater.tls".getBytes(StandardCharsets.US_ASCII);

  private IdentityCheck() {}

  /// @throws IllegalArgumentException if they cannot be used together
  static void check(String source, PrivateKey key, List<X509Certificate> chain) {
    requireCertificate(source, chain);
    X509Certificate first = chain.getFirst();
    if (!sign(source, key, first.getPublicKey())) {
      throw new IllegalArgumentException(
          source
              + ": the key does not belong to the first certificate, "
              + first.getSubjectX500Principal());
    }
    checkChain(source, chain);
  }

  private static void requireCertificate(String source, List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      throw new IllegalArgumentException(source + " has no certificate");
    }
  }

  /// @throws IllegalArgumentException if a certificate is not followed by its issuer
  static void checkChain(String source, List<X509Certificate> chain) {
    requireCertificate(source, chain);
    X509Certificate first = chain.getFirst();
    for (int i = 1; i < chain.size(); i++) {
      X509Certificate certificate = chain.get(i - 1);
      X509Certificate issuer = chain.get(i);
      if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
        throw new IllegalArgumentException(
            source
                + ": certificate "
                + i
                + ", "
                + certificate.getSubjectX500Principal()
                + ", must be followed by its issuer "
                + certificate.getIssuerX500Principal()
                + ", but "
                + issuer.getSubjectX500Principal()
                + " follows");
      }
    }
    try {
      first.checkValidity();
    } catch (CertificateExpiredException | CertificateNotYetValidException _) {
      LOG.log(
          System.Logger.Level.WARNING,
          source
              + ": the certificate "
              + first.getSubjectX500Principal()
              + " is valid from "
              + first.getNotBefore().toInstant()
              + " to "
              + first.getNotAfter().toInstant());
    }
  }

  /// Signs a probe, which works for keys in hardware, too.
  private static boolean sign(String source, PrivateKey key, PublicKey expected) {
    String algorithm = expected.getAlgorithm();
    try {
      Signature signer = signature(algorithm);
      signer.initSign(key);
      signer.update(PROBE);
      byte[] signed = signer.sign();
      Signature verifier = signature(algorithm);
      verifier.initVerify(expected);
      verifier.update(PROBE);
      return verifier.verify(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          source
              + ": the key of type "
              + key.getAlgorithm()
              + " cannot be used with the first certificate, which has a key of type "
              + algorithm
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static Signature signature(String algorithm) throws GeneralSecurityException {
    return switch (algorithm) {
      case "RSA" -> Signature.getInstance("SHA256withRSA");
      case "RSASSA-PSS" -> {
        Signature pss = Signature.getInstance("RSASSA-PSS");
        pss.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        yield pss;
      }
      case "EC" -> Signature.getInstance("SHA256withECDSA");
      default -> Signature.getInstance(algorithm);
    };
  }
}
