package dev.quickwater.tls.openssl;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// Certificates of OpenSSL as Java objects.
final class PeerChain {

  private PeerChain() {}

  /// The certificates of a `STACK_OF(X509)`.
  static List<X509Certificate> ofStack(long stack) throws TlsException {
    List<X509Certificate> chain = new ArrayList<>();
    int count = stack == 0 ? 0 : (int) LibSsl.OPENSSL_sk_num.call(stack);
    for (int i = 0; i < count; i++) {
      chain.add(of(LibSsl.OPENSSL_sk_value.call(stack, i)));
    }
    return List.copyOf(chain);
  }

  /// The certificate of an `X509`.
  static X509Certificate of(long x509) throws TlsException {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      var encoded = new ByteArrayInputStream(encoded(x509));
      return (X509Certificate) factory.generateCertificate(encoded);
    } catch (CertificateException e) {
      throw TlsException.local(
          TlsAlert.BAD_CERTIFICATE, "a certificate of the peer cannot be parsed", e);
    }
  }

  private static byte[] encoded(long x509) {
    long pointer = CallFrame.current().small();
    CallFrame.putLong(pointer, 0);
    int length = (int) LibSsl.i2d_X509.call(x509, pointer);
    if (length < 0) {
      throw new OutOfMemoryError("i2d_X509: " + Alerts.takeErrors());
    }
    long bytes = CallFrame.getLong(pointer);
    try {
      return NativeText.bytes(bytes, length);
    } finally {
      LibSsl.CRYPTO_free.call(bytes, 0, 0);
    }
  }
}
