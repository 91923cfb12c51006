package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.library.PeerVerifier;
import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Lets the [PeerVerifier] decide. This is an extended trust manager, because the JDK wraps others
/// in checks that it selects.
final class VerifierTrust extends X509ExtendedTrustManager {

  private final PeerVerifier verifier;

  VerifierTrust(PeerVerifier verifier) {
    this.verifier = verifier;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    JdkConnection connection = Scratch.current();
    connection.certificatesExchanged();
    List<byte[]> stapled =
        engine.getHandshakeSession() instanceof ExtendedSSLSession session
            ? session.getStatusResponses()
            : List.of();
    try {
      verifier.verifyServer(List.of(chain), authType, connection.host(), stapled);
    } catch (TlsException e) {
      connection.refuse(e);
      throw refusal(e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    try {
      verifier.verifyClient(List.of(chain), authType);
    } catch (TlsException e) {
      Scratch.current().refuse(e);
      throw refusal(e);
    }
  }

  /// A failure with the reason from which the JDK derives the alert. It has reasons for some alerts
  /// only, and sends certificate_unknown otherwise.
  private static CertificateException refusal(TlsException e) {
    @Nullable Reason reason =
        switch (e.alert()) {
          case CERTIFICATE_EXPIRED -> BasicReason.EXPIRED;
          case CERTIFICATE_REVOKED -> BasicReason.REVOKED;
          case BAD_CERTIFICATE_STATUS_RESPONSE -> BasicReason.UNDETERMINED_REVOCATION_STATUS;
          case BAD_CERTIFICATE -> BasicReason.INVALID_SIGNATURE;
          case UNSUPPORTED_CERTIFICATE -> BasicReason.ALGORITHM_CONSTRAINED;
          case null, default -> null;
        };
    String message = String.valueOf(e.getMessage());
    return new CertificateException(
        message, reason == null ? e : new CertPathValidatorException(message, e, null, -1, reason));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return verifier.acceptedIssuers().toArray(X509Certificate[]::new);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw withoutEngine();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw withoutEngine();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw withoutEngine();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw withoutEngine();
  }

  private static CertificateException withoutEngine() {
    return new CertificateException("the verifier needs the engine of the connection");
  }
}
