package dev.quickwater.tls.library;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The trust manager of the platform (PKIX, RFC 5280) for given anchors.
final class PlatformTrust {

  private PlatformTrust() {}

  /// A trust manager for these anchors.
  ///
  /// @throws IllegalArgumentException if there are none
  static X509TrustManager manager(List<X509Certificate> anchors) {
    if (anchors.isEmpty()) {
      throw new IllegalArgumentException("anchors has no certificate, so no peer can be trusted");
    }
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate anchor : anchors) {
        store.setCertificateEntry(Integer.toString(number++), anchor);
      }
      return ofStore(store);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("anchors cannot be used: " + e.getMessage(), e);
    }
  }

  /// The trust manager for the store of the JDK.
  static X509TrustManager ofJdk() throws GeneralSecurityException {
    return ofStore(null);
  }

  private static X509TrustManager ofStore(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager x509) {
        return x509;
      }
    }
    throw new IllegalArgumentException("the platform has no X.509 trust manager");
  }
}
