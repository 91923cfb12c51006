package dev.quickwater.tls;

import dev.quickwater.testkit.Keytool;
import java.util.List;

/// Settings for the tests of the handler. The system property `qw.test.tls` selects the library.
final class TestTls {

  static final TlsLibrary LIBRARY = TlsLibrary.valueOf(System.getProperty("qw.test.tls", "JDK"));

  private TestTls() {}

  static TlsSettings server() {
    return serverFor("localhost");
  }

  static TlsSettings serverFor(String name) {
    return TlsSettings.server(identity(name)).withLibrary(LIBRARY);
  }

  /// A client that trusts the server's certificate and that of `other.example`.
  static TlsSettings client() {
    return TlsSettings.client()
        .withTrust(
            TlsTrust.DEFAULT.withCertificates(
                Keytool.selfSigned("localhost").certificate(),
                Keytool.selfSigned("other.example").certificate()))
        .withLibrary(LIBRARY);
  }

  static TlsIdentity identity(String name) {
    Keytool.Pair pair = Keytool.selfSigned(name);
    return TlsIdentity.of(pair.key(), List.of(pair.certificate()));
  }
}
