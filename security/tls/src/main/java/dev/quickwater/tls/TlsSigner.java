package dev.quickwater.tls;

import java.util.concurrent.CompletionStage;

/// Signs handshakes with a private key that this process does not have, for example in a hardware
/// module or in a key service. See [TlsIdentity#signedBy].
///
/// - **Threads:** called on a virtual thread, many times at once. The method may block or return at
///   once; no event loop waits for the signature.
/// - **Time:** the handshake waits until the stage completes, at most for
///   [TlsLimits#handshakeTimeout]. If the connection ends earlier, the thread is interrupted or the
///   future of the stage is cancelled.
/// - **Failures:** an exception, null, and a signature that the public key of the certificate does
///   not verify fail the handshake with the alert internal_error.
@FunctionalInterface
public interface TlsSigner {

  /// Signs a message.
  ///
  /// @param scheme the algorithm
  /// @param message the bytes to sign, which are not hashed; a few hundred
  CompletionStage<byte[]> sign(TlsSignatureScheme scheme, byte[] message) throws Exception;
}
