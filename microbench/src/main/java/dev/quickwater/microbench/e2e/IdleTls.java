package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// A server with TLS 1.3 whose idle connections are measured. The clients do not resume sessions,
/// because each has a separate context.
record IdleTls(TlsVariant variant, TlsCertificate certificate) implements IdleServer {

  @Override
  public String label() {
    return variant.label();
  }

  @Override
  public boolean ours() {
    return !variant.netty();
  }

  @Override
  public boolean netty() {
    return variant.netty();
  }

  @Override
  public ServerProcess start(List<String> flags) throws IOException {
    TlsOptions options = TlsOptions.parse(List.of("--jvm-flags", String.join(" ", flags)));
    return variant.start(certificate, options, TlsLoad.H1_DEPTH_1);
  }

  @Override
  public Socket connect(InetSocketAddress address) throws IOException {
    return PlainCheck.servedOverTls(address, factory(certificate.chain()));
  }

  private static SSLSocketFactory factory(Path trusted) throws IOException {
    try (var in = java.nio.file.Files.newInputStream(trusted)) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("server", certificate);
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(null, managers.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
