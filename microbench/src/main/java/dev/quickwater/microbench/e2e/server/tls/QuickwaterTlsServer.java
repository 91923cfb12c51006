package dev.quickwater.microbench.e2e.server.tls;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/// Quickwater's server with TLS: one event loop on epoll, all limits on their defaults, HTTP/1.1
/// and HTTP/2 by ALPN.
final class QuickwaterTlsServer {

  private QuickwaterTlsServer() {}

  /// Arguments: certificate file, key file, library (`openssl`, `jdk`), cipher suite.
  public static void main(String[] args) throws IOException, InterruptedException {
    HttpResponse small = whole(Plaintext.BODY.getBytes(StandardCharsets.US_ASCII));
    HttpResponse large = whole(Megabyte.bytes());
    Routes routes =
        new Routes()
            .get(Plaintext.PATH, x -> x.respond(small))
            .get(Megabyte.PATH, x -> x.respond(large));
    TlsIdentity identity = TlsIdentity.pem(Path.of(args[0]), Path.of(args[1]));
    TlsSettings tls =
        TlsSettings.server(identity)
            .withLibrary(args[2].equals("jdk") ? TlsLibrary.JDK : TlsLibrary.OPENSSL)
            .withProtocols(TlsProtocols.DEFAULT.withCipherSuites(args[3]));
    RunningServer server =
        HttpServer.create(routes)
            .with(HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "epoll")))
            .tls(tls)
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    System.out.println(
        "listening on https://127.0.0.1:"
            + server.port()
            + " quickwater "
            + Objects.requireNonNull(server.tls()).description());
    Thread.currentThread().join();
  }

  private static HttpResponse whole(byte[] body) {
    HttpHeaders fields = HttpHeaders.of("content-type", Plaintext.TYPE, "server", Plaintext.SERVER);
    return HttpResponse.of(HttpStatus.OK, fields, body);
  }
}
