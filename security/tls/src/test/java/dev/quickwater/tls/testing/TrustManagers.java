package dev.quickwater.tls.testing;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/// Trust managers of users.
public final class TrustManagers {

  private TrustManagers() {}

  /// Trusts every chain, without the extended methods.
  public static X509TrustManager plain() {
    return new Plain();
  }

  /// Trusts every chain.
  public static X509TrustManager extended() {
    return new Extended();
  }

  /// Trusts no chain.
  public static X509TrustManager refusing(String reason) {
    return new Plain() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String type)
          throws CertificateException {
        throw new CertificateException(reason);
      }
    };
  }

  /// Has a fault.
  public static X509TrustManager failing() {
    return new Plain() {
      @Override
      public void checkServerTrusted(X509Certificate[] chain, String type) {
        throw new UnsupportedOperationException("fault");
      }
    };
  }

  private static class Plain implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static final class Extended extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
