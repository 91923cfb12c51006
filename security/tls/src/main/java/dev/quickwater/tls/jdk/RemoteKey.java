package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsSignatureScheme;
import dev.quickwater.tls.TlsSigner;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// A private key that only a [TlsSigner] can use. The JDK signs with it by [RemoteSignature].
///
/// The key has no encoding. For RSA it has its length, by which the JDK selects the scheme.
public sealed class RemoteKey implements PrivateKey {

  private static final long serialVersionUID = 1L;

  private final PublicKey publicKey;
  private final transient TlsSigner signer;

  private RemoteKey(PublicKey publicKey, TlsSigner signer) {
    this.publicKey = publicKey;
    this.signer = signer;
  }

  /// The key of an RSA certificate. Not an `RSAPrivateKey`, because providers of the JDK would try
  /// to use that.
  private static final class Rsa extends RemoteKey implements RSAKey {

    private static final long serialVersionUID = 1L;

    private final BigInteger modulus;

    Rsa(RSAPublicKey publicKey, TlsSigner signer) {
      super(publicKey, signer);
      this.modulus = publicKey.getModulus();
    }

    @Override
    public BigInteger getModulus() {
      return modulus;
    }

    @Override
    public @Nullable AlgorithmParameterSpec getParams() {
      return null;
    }
  }

  /// The key for a certificate.
  public static RemoteKey of(PublicKey publicKey, TlsSigner signer) {
    RemoteSignatures.install();
    return publicKey instanceof RSAPublicKey rsa
        ? new Rsa(rsa, signer)
        : new RemoteKey(publicKey, signer);
  }

  @Override
  public String getAlgorithm() {
    return publicKey.getAlgorithm();
  }

  @Override
  public @Nullable String getFormat() {
    return null;
  }

  @Override
  public byte @Nullable [] getEncoded() {
    return null;
  }

  /// Waits for a signature and verifies it.
  ///
  /// @throws SignatureException if there is none, or the public key does not verify it; the message
  ///   has the reason
  byte[] sign(TlsSignatureScheme scheme, byte[] message) throws SignatureException {
    byte @Nullable [] signature;
    try {
      signature = await(signer.sign(scheme, message.clone()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SignatureException("the handshake ended before the signer answered", e);
    } catch (Exception | Error e) { // an error, too, must end the handshake with an alert
      throw new SignatureException("the signer failed: " + e, e);
    }
    if (signature == null) {
      throw new SignatureException("the signer returned null");
    }
    if (!verifies(scheme, message, signature)) {
      throw new SignatureException(
          "the signer returned "
              + signature.length
              + " bytes for "
              + scheme
              + " that the public key of the certificate does not verify");
    }
    return signature;
  }

  private static byte @Nullable [] await(@Nullable CompletionStage<byte[]> stage) throws Exception {
    if (stage == null) {
      return null;
    }
    var answer = new Answer();
    stage.whenComplete(answer::complete);
    try {
      return answer.await();
    } catch (InterruptedException e) {
      cancel(stage);
      throw e;
    }
  }

  /// A stage need not be a future.
  private static void cancel(CompletionStage<byte[]> stage) {
    try {
      Future<byte[]> future = stage instanceof Future<?> ? stage.toCompletableFuture() : null;
      if (future != null) {
        future.cancel(true);
      }
    } catch (UnsupportedOperationException _) {
      // The stage completes without a receiver.
    }
  }

  /// The result of a stage, which another thread provides.
  private static final class Answer {
    private final CountDownLatch complete = new CountDownLatch(1);
    private byte @Nullable [] signature;
    private @Nullable Throwable failure;

    void complete(byte @Nullable [] bytes, @Nullable Throwable cause) {
      signature = bytes;
      failure = cause;
      complete.countDown();
    }

    byte @Nullable [] await() throws Exception {
      complete.await();
      if (failure instanceof Exception exception) {
        throw exception;
      }
      if (failure != null) {
        throw new CancellationException(failure.toString());
      }
      return signature;
    }
  }

  private boolean verifies(TlsSignatureScheme scheme, byte[] message, byte[] signature) {
    try {
      Signature verifier = scheme.signature();
      verifier.initVerify(publicKey);
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException _) {
      return false; // malformed
    }
  }
}
