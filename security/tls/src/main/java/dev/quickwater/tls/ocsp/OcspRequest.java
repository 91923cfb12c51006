package dev.quickwater.tls.ocsp;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;

/// A request for the state of one certificate (RFC 6960 section 4.1), without a nonce: responders
/// answer with responses that they have signed before.
public final class OcspRequest {

  /// SHA-1 with the parameters NULL. Responders need not support another hash for identifiers of
  /// certificates (RFC 5019 section 2.1.1); nothing relies on its strength.
  private static final byte[] SHA_1 = HexFormat.of().parseHex("300906052b0e03021a0500");

  private OcspRequest() {}

  /// The request in DER.
  ///
  /// @param issuer the certificate of the issuer
  public static byte[] of(X509Certificate certificate, X509Certificate issuer) {
    byte[] id =
        Der.element(
            Der.SEQUENCE,
            SHA_1,
            Der.element(Der.OCTET_STRING, sha1(issuer.getSubjectX500Principal().getEncoded())),
            Der.element(Der.OCTET_STRING, sha1(keyBits(issuer))),
            Der.element(Der.INTEGER, certificate.getSerialNumber().toByteArray()));
    byte[] list = Der.element(Der.SEQUENCE, Der.element(Der.SEQUENCE, id));
    return Der.element(Der.SEQUENCE, Der.element(Der.SEQUENCE, list));
  }

  /// The content of the BIT STRING in SubjectPublicKeyInfo, without the number of unused bits.
  private static byte[] keyBits(X509Certificate issuer) {
    Der info = Der.of(issuer.getPublicKey().getEncoded()).enter(Der.SEQUENCE);
    info.skip();
    byte[] bits = info.read(Der.BIT_STRING);
    return Arrays.copyOfRange(bits, 1, bits.length);
  }

  private static byte[] sha1(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
