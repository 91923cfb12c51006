package dev.quickwater.tls.openssl;

import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Keys with certificates of one test authority, valid for a hundred years: `ec` and `rsa` for
/// localhost, `client` for a client.
final class TestKeys {

  private static final char[] PASSWORD = "quickwater".toCharArray();

  private static final Map<String, TlsIdentity> LOADED = new ConcurrentHashMap<>();

  private TestKeys() {}

  static TlsIdentity identity(String name) {
    return LOADED.computeIfAbsent(name, TestKeys::load);
  }

  private static TlsIdentity load(String name) {
    try (InputStream file = TestKeys.class.getResourceAsStream(name + ".p12")) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(file, PASSWORD);
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : store.getCertificateChain("x")) {
        chain.add((X509Certificate) certificate);
      }
      return TlsIdentity.of((PrivateKey) store.getKey("x", PASSWORD), chain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The certificate that signed the others.
  static X509Certificate authority() {
    return identity("ec").chain().getLast();
  }

  /// A server for localhost.
  static TlsSettings server() {
    return TlsSettings.server(identity("ec")).withLibrary(TlsLibrary.OPENSSL);
  }

  /// A client that trusts the test authority.
  static TlsSettings client() {
    return TlsSettings.client()
        .withTrust(TlsTrust.DEFAULT.withCertificates(authority()))
        .withLibrary(TlsLibrary.OPENSSL);
  }
}
