package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsSignatureScheme;
import java.io.ByteArrayOutputStream;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A signature of a [RemoteKey]: collects the message, which the signer receives as a whole.
final class RemoteSignature extends SignatureSpi {

  private final String algorithm;
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private @Nullable RemoteKey key;
  private @Nullable PSSParameterSpec parameters;

  /// @param algorithm as in [TlsSignatureScheme#algorithm]
  RemoteSignature(String algorithm) {
    this.algorithm = algorithm;
  }

  @Override
  protected void engineInitSign(PrivateKey privateKey) throws InvalidKeyException {
    if (!(privateKey instanceof RemoteKey remote)) {
      throw new InvalidKeyException("expected the key of a TlsSigner");
    }
    key = remote;
    message.reset();
  }

  @Override
  protected void engineInitVerify(PublicKey publicKey) throws InvalidKeyException {
    throw new InvalidKeyException("this provider only signs");
  }

  @Override
  protected void engineUpdate(byte b) {
    message.write(b);
  }

  @Override
  protected void engineUpdate(byte[] bytes, int from, int length) {
    message.write(bytes, from, length);
  }

  @Override
  protected byte[] engineSign() throws SignatureException {
    RemoteKey signing = Objects.requireNonNull(key);
    byte[] all = message.toByteArray();
    message.reset();
    @Nullable JdkConnection connection = Scratch.currentOrNull();
    if (connection == null) {
      throw new SignatureException(
          "the private key belongs to a TlsSigner, which signs only TLS handshakes");
    }
    try {
      return signing.sign(scheme(signing), all);
    } catch (SignatureException e) {
      connection.refuse(
          TlsException.local(
              TlsAlert.INTERNAL_ERROR, "the handshake could not be signed: " + e.getMessage(), e));
      throw e;
    }
  }

  private TlsSignatureScheme scheme(RemoteKey signing) throws SignatureException {
    boolean ofPssKey = signing.getAlgorithm().equals("RSASSA-PSS");
    for (TlsSignatureScheme scheme : TlsSignatureScheme.values()) {
      if (!scheme.algorithm().equals(algorithm)) {
        continue;
      }
      @Nullable PSSParameterSpec expected = scheme.parameters();
      if (expected == null) {
        return scheme;
      }
      boolean sameKey = scheme.name().startsWith("RSA_PSS_PSS") == ofPssKey;
      if (sameKey
          && parameters != null
          && expected.getDigestAlgorithm().equals(parameters.getDigestAlgorithm())
          && expected.getSaltLength() == parameters.getSaltLength()) {
        return scheme;
      }
    }
    throw new SignatureException("TLS has no scheme for " + algorithm + " with " + parameters);
  }

  @Override
  protected boolean engineVerify(byte[] signature) throws SignatureException {
    throw new SignatureException("this provider only signs");
  }

  @Override
  protected void engineSetParameter(AlgorithmParameterSpec params)
      throws InvalidAlgorithmParameterException {
    if (!(params instanceof PSSParameterSpec pss)) {
      throw new InvalidAlgorithmParameterException("expected parameters of RSA-PSS");
    }
    parameters = pss;
  }

  @Override
  protected @Nullable AlgorithmParameters engineGetParameters() {
    return null;
  }

  @Override
  @SuppressWarnings("deprecation") // abstract in the base class
  protected void engineSetParameter(String name, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("deprecation") // abstract in the base class
  protected Object engineGetParameter(String name) {
    throw new UnsupportedOperationException();
  }
}
