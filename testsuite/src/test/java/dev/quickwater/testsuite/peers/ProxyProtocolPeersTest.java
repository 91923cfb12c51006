package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// curl and HAProxy send headers of the PROXY protocol to our server, before clear text and before
/// TLS.
@Tag("full")
final class ProxyProtocolPeersTest {

  @TempDir private Path dir;

  private static RunningServer serve(boolean secure) {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    HttpServer server =
        HttpServer.create(x ->
                x.respond(
                    HttpResponse.text(
                        x.request().scheme()
                            + " "
                            + x.connection().version()
                            + " "
                            + x.connection().remoteAddress())))
            .acceptProxyProtocol(CidrSet.of(List.of(Cidr.of("127.0.0.0/8"))));
    if (secure) {
      server =
          server.tls(TlsSettings.server(TlsIdentity.of(pair.key(), List.of(pair.certificate()))));
    }
    return server.listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  /// The address that the server has seen must be the one that the client has used.
  private void assertAnswered(boolean secure, int port, String... options) throws Exception {
    String url = (secure ? "https" : "http") + "://127.0.0.1:" + port + "/";
    List<String> command =
        new ArrayList<>(
            List.of("curl", "-sS", "--insecure", "--write-out", " /127.0.0.1:%{local_port}"));
    command.addAll(List.of(options));
    command.add(url);
    String text = Peer.run(dir, command.toArray(String[]::new));
    String[] parts = text.split(" ");
    assertTrue(parts.length == 4 && parts[2].equals(parts[3]), text);
    assertTrue(text.startsWith(secure ? "https HTTP/2 " : "http HTTP/1.1 "), text);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void curlSendsALine(boolean secure) throws Exception {
    try (RunningServer server = serve(secure)) {
      assertAnswered(secure, server.port(), "--haproxy-protocol");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"send-proxy", "send-proxy-v2", "send-proxy-v2 proxy-v2-options crc32c"})
  void haproxyForwardsTheAddress(String send) throws Exception {
    for (boolean secure : new boolean[] {false, true}) {
      try (RunningServer server = serve(secure);
          Peer front = Peer.haproxy(dir, "haproxy-proxy-protocol.cfg", server.port(), send)) {
        assertAnswered(secure, front.port());
      }
    }
  }
}
