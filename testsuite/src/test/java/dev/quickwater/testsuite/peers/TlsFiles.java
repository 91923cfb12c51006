package dev.quickwater.testsuite.peers;

import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import java.util.List;

/// The certificate of `localhost` as files for other programs, and as settings.
record TlsFiles(Path certificate, Path key) {

  static TlsFiles in(Path dir) throws IOException, CertificateEncodingException {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    Path certificate = dir.resolve("cert.pem");
    Path key = dir.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", pair.certificate().getEncoded()));
    Files.writeString(key, pem("PRIVATE KEY", pair.key().getEncoded()));
    return new TlsFiles(certificate, key);
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  static TlsSettings server(TlsLibrary library) {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    return TlsSettings.server(TlsIdentity.of(pair.key(), List.of(pair.certificate())))
        .withLibrary(library);
  }

  static TlsSettings client(TlsLibrary library) {
    return TlsSettings.client()
        .withTrust(TlsTrust.DEFAULT.withCertificates(Keytool.selfSigned("localhost").certificate()))
        .withLibrary(library);
  }
}
