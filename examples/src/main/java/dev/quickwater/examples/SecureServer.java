package dev.quickwater.examples;

import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsSigner;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Https;
import dev.quickwater.web.OcspStapling;
import dev.quickwater.web.RunningServer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// https: servers with certificates of several kinds, a client, and the move from http.
public final class SecureServer {

  private static final HttpHandler HELLO =
      x -> x.respond(HttpResponse.text("hello over " + x.request().scheme() + "\n"));

  private SecureServer() {}

  /// Listens on the port in the first argument with a self-signed certificate.
  public static void main(String[] arguments) {
    RunningServer server = development().listen(Integer.parseInt(arguments[0]));
    System.out.println("listening on https://localhost:" + server.port());
  }

  /// A server for development.
  public static HttpServer development() {
    // @start region=development
    return HttpServer.create(HELLO).tls(TlsSettings.selfSigned("localhost"));
    // @end

  }

  /// A server with a certificate in files.
  public static HttpServer production(Path chain, Path key) {
    // @start region=production
    return HttpServer.create(HELLO)
        .filter(Https.strictTransportSecurity(Duration.ofDays(1), false))
        .tls(TlsSettings.server(TlsIdentity.pem(chain, key)));
    // @end

  }

  /// Replaces the certificate of a running server.
  public static void renew(RunningServer server, Path chain, Path key) {
    // @start region=renew
    server.replaceTls(TlsSettings.server(TlsIdentity.pem(chain, key)));
    // @end

  }

  /// A server that sends http clients to https.
  public static HttpServer redirecting() {
    // @start region=redirect
    return HttpServer.create(HELLO).filter(Https.redirect(443));
    // @end

  }

  /// A server whose private key is in another process.
  public static HttpServer signedElsewhere(TlsSigner keyService, List<X509Certificate> chain) {
    // @start region=signer
    return HttpServer.create(HELLO)
        .tls(TlsSettings.server(TlsIdentity.signedBy(keyService, chain)));
    // @end

  }

  /// A server that sends OCSP responses for its certificate.
  public static HttpServer stapling(TlsIdentity identity) {
    // @start region=stapling
    return HttpServer.create(HELLO).tls(TlsSettings.server(identity), OcspStapling.DEFAULT);
    // @end

  }

  /// A server behind proxies that send the addresses of clients.
  public static HttpServer proxied(TlsIdentity identity) {
    // @start region=proxied
    return HttpServer.create(HELLO)
        .tls(TlsSettings.server(identity))
        .acceptProxyProtocol(CidrSet.of(List.of(Cidr.of("10.0.0.0/8"))));
    // @end

  }

  /// A server with several names.
  public static TlsSettings byName(TlsIdentity shop, TlsIdentity others) {
    // @start region=names
    return TlsSettings.server(others)
        .withIdentities(
            new TlsIdentities(
                others, Map.of("shop.example.com", shop, "*.shop.example.com", shop)));
    // @end

  }

  /// A server that requires a certificate of its clients.
  public static TlsSettings mutual(TlsIdentity identity, Path clientIssuers) {
    // @start region=mutual
    return TlsSettings.server(identity)
        .withTrust(
            TlsTrust.DEFAULT
                .withCertificates(clientIssuers)
                .withClientAuth(TlsTrust.ClientAuth.REQUIRED));
    // @end

  }

  /// A client that trusts the certificates in a file instead of those of the system.
  public static HttpClient client(Path trusted) {
    // @start region=client
    TlsSettings tls = TlsSettings.client().withTrust(TlsTrust.DEFAULT.withCertificates(trusted));
    return HttpClient.create(HttpClientSettings.DEFAULT, tls);
    // @end

  }
}
