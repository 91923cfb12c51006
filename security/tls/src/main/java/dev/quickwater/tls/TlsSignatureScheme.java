package dev.quickwater.tls;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import org.jspecify.annotations.Nullable;

/// How a handshake is signed (RFC 8446 section 4.2.3): the type of the key, the hash function, and
/// the form of the signature. ECDSA signatures are in DER.
public enum TlsSignatureScheme {
  /// RSA with the padding of PKCS#1 v1.5; TLS 1.2 only.
  RSA_PKCS1_SHA256(0x0401, "SHA256withRSA", ""),
  /// RSA with the padding of PKCS#1 v1.5; TLS 1.2 only.
  RSA_PKCS1_SHA384(0x0501, "SHA384withRSA", ""),
  /// RSA with the padding of PKCS#1 v1.5; TLS 1.2 only.
  RSA_PKCS1_SHA512(0x0601, "SHA512withRSA", ""),
  /// ECDSA, in TLS 1.3 with the curve P-256.
  ECDSA_SECP256R1_SHA256(0x0403, "SHA256withECDSA", ""),
  /// ECDSA, in TLS 1.3 with the curve P-384.
  ECDSA_SECP384R1_SHA384(0x0503, "SHA384withECDSA", ""),
  /// ECDSA, in TLS 1.3 with the curve P-521.
  ECDSA_SECP521R1_SHA512(0x0603, "SHA512withECDSA", ""),
  /// RSA-PSS with a key of the type RSA. The salt has the length of the hash.
  RSA_PSS_RSAE_SHA256(0x0804, "RSASSA-PSS", "SHA-256"),
  /// RSA-PSS with a key of the type RSA. The salt has the length of the hash.
  RSA_PSS_RSAE_SHA384(0x0805, "RSASSA-PSS", "SHA-384"),
  /// RSA-PSS with a key of the type RSA. The salt has the length of the hash.
  RSA_PSS_RSAE_SHA512(0x0806, "RSASSA-PSS", "SHA-512"),
  /// EdDSA with the curve 25519.
  ED25519(0x0807, "Ed25519", ""),
  /// EdDSA with the curve 448.
  ED448(0x0808, "Ed448", ""),
  /// RSA-PSS with a key of the type RSASSA-PSS. The salt has the length of the hash.
  RSA_PSS_PSS_SHA256(0x0809, "RSASSA-PSS", "SHA-256"),
  /// RSA-PSS with a key of the type RSASSA-PSS. The salt has the length of the hash.
  RSA_PSS_PSS_SHA384(0x080a, "RSASSA-PSS", "SHA-384"),
  /// RSA-PSS with a key of the type RSASSA-PSS. The salt has the length of the hash.
  RSA_PSS_PSS_SHA512(0x080b, "RSASSA-PSS", "SHA-512");

  private final int code;
  private final String algorithm;
  private final String pssHash;

  TlsSignatureScheme(int code, String algorithm, String pssHash) {
    this.code = code;
    this.algorithm = algorithm;
    this.pssHash = pssHash;
  }

  /// The number of the scheme on the wire.
  public int code() {
    return code;
  }

  /// The name of the algorithm for [Signature#getInstance].
  public String algorithm() {
    return algorithm;
  }

  /// The parameters of RSA-PSS; null for other schemes.
  public @Nullable PSSParameterSpec parameters() {
    if (pssHash.isEmpty()) {
      return null;
    }
    int salt = Integer.parseInt(pssHash.substring("SHA-".length())) / Byte.SIZE;
    return new PSSParameterSpec(
        pssHash, "MGF1", new MGF1ParameterSpec(pssHash), salt, PSSParameterSpec.TRAILER_FIELD_BC);
  }

  /// A new [Signature] with the parameters of this scheme, for a key that a security provider can
  /// use.
  ///
  /// @throws GeneralSecurityException if no security provider supports the scheme
  public Signature signature() throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    @Nullable PSSParameterSpec parameters = parameters();
    if (parameters != null) {
      signature.setParameter(parameters);
    }
    return signature;
  }
}
