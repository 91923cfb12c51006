package dev.quickwater.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.proxy.ProxyHeader;
import dev.quickwater.proxy.ProxyHeaderWriter;
import dev.quickwater.proxy.ProxyProtocolSettings;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsEngineSettings;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLimits;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers behind a proxy: the address of a connection is that of the client.
final class ProxyProtocolTest {

  private static final int PATIENCE = 20_000;
  private static final CidrSet LOOPBACK = CidrSet.of(List.of(Cidr.of("127.0.0.0/8")));
  private static final ProxyHeader HEADER =
      ProxyHeader.of(address("192.0.2.1", 5000), address("192.0.2.2", 443));
  private static final String REQUEST =
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private static InetSocketAddress address(String host, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(host), port);
  }

  private static void describe(HttpExchange x) {
    x.respond(HttpResponse.text("client " + x.connection().remoteAddress()));
  }

  private static HttpServer server(Versions versions) {
    HttpServerSettings settings = HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "auto"));
    return HttpServer.create(ProxyProtocolTest::describe)
        .with(settings.withVersions(settings.versions().with(versions)))
        .acceptProxyProtocol(LOOPBACK);
  }

  private static RunningServer listen(HttpServer server) {
    return server.listen(address("127.0.0.1", 0));
  }

  private static Socket connect(RunningServer server, byte[] header) throws IOException {
    Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port());
    socket.setSoTimeout(PATIENCE);
    socket.getOutputStream().write(header);
    return socket;
  }

  private static String get(Socket socket) throws IOException {
    socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  private static Stream<byte[]> headers() {
    return Stream.of(ProxyHeaderWriter.version1(HEADER), ProxyHeaderWriter.version2(HEADER));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void addressOfTheClientIsThatOfTheConnection(byte[] header) throws IOException {
    for (Versions versions : List.of(Versions.BOTH, Versions.HTTP_1_1)) {
      try (RunningServer server = listen(server(versions));
          Socket socket = connect(server, header)) {
        assertTrue(get(socket).endsWith("client /192.0.2.1:5000"));
      }
    }
  }

  private static SSLSocket secure(Socket socket, String name) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", Keytool.selfSigned("localhost").certificate());
    trusted.setCertificateEntry("b", Keytool.selfSigned("other.example").certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return (SSLSocket)
        context.getSocketFactory().createSocket(socket, name, socket.getPort(), true);
  }

  private static TlsIdentity identity(String name) {
    Keytool.Pair pair = Keytool.selfSigned(name);
    return TlsIdentity.of(pair.key(), List.of(pair.certificate()));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void headerPrecedesTlsAndItsServerName(byte[] header) throws Exception {
    TlsSettings tls =
        TlsSettings.client()
            .withIdentities(
                new TlsIdentities(
                    identity("localhost"), Map.of("other.example", identity("other.example"))));
    try (RunningServer server = listen(server(Versions.BOTH).tls(tls));
        Socket socket = connect(server, header);
        SSLSocket secured = secure(socket, "other.example")) {
      assertTrue(get(secured).endsWith("client /192.0.2.1:5000"));
      X509Certificate certificate = (X509Certificate) secured.getSession().getPeerCertificates()[0];
      assertEquals(Keytool.selfSigned("other.example").certificate(), certificate);
    }
  }

  /// A socket that sends a part of the header at once, and the rest together with the first bytes
  /// that are written.
  private static final class Prefixed extends Socket {
    private final byte[] rest;
    private boolean sent;

    Prefixed(RunningServer server, byte[] header, int split) throws IOException {
      super(InetAddress.ofLiteral("127.0.0.1"), server.port());
      setTcpNoDelay(true);
      setSoTimeout(PATIENCE);
      super.getOutputStream().write(header, 0, split);
      rest = Arrays.copyOfRange(header, split, header.length);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          if (!sent) {
            sent = true;
            all.writeBytes(rest);
          }
          all.write(bytes, from, length);
          out.write(all.toByteArray());
        }
      };
    }
  }

  @ParameterizedTest
  @MethodSource("headers")
  void headerMayEndInTheReadWithTheClientHello(byte[] header) throws Exception {
    TlsSettings tls = TlsSettings.server(identity("localhost"));
    try (RunningServer server = listen(server(Versions.BOTH).tls(tls))) {
      for (int split = 0; split < header.length; split++) {
        try (Socket socket = new Prefixed(server, header, split);
            SSLSocket secured = secure(socket, "localhost")) {
          assertTrue(get(secured).endsWith("client /192.0.2.1:5000"));
        }
      }
    }
  }

  /// The connection of a client above its rate is closed while its first bytes are delivered.
  @Test
  void limitOfHandshakesRefusesTheSecondOfAClient() throws Exception {
    TlsSettings tls =
        TlsSettings.server(identity("localhost"))
            .withEngine(
                TlsEngineSettings.DEFAULT.withLimits(
                    TlsLimits.DEFAULT.withMaxHandshakesPerSecond(1)));
    try (RunningServer server = listen(server(Versions.BOTH).tls(tls))) {
      byte[] header = ProxyHeaderWriter.version2(HEADER);
      try (Socket socket = new Prefixed(server, header, 0);
          SSLSocket secured = secure(socket, "localhost")) {
        assertTrue(get(secured).endsWith("client /192.0.2.1:5000"));
      }
      try (Socket socket = new Prefixed(server, header, 0);
          SSLSocket secured = secure(socket, "localhost")) {
        assertThrows(IOException.class, secured::startHandshake);
      }
    }
  }

  /// All connections come from one proxy, and only one client exceeds its rate.
  @Test
  void limitOfHandshakesAppliesToTheClient() throws Exception {
    TlsSettings tls =
        TlsSettings.server(identity("localhost"))
            .withEngine(
                TlsEngineSettings.DEFAULT.withLimits(
                    TlsLimits.DEFAULT.withMaxHandshakesPerSecond(1)));
    try (RunningServer server = listen(server(Versions.BOTH).tls(tls))) {
      for (int i = 1; i <= 5; i++) {
        ProxyHeader header =
            ProxyHeader.of(address("192.0.2." + i, 5000), address("192.0.2.200", 443));
        try (Socket socket = connect(server, ProxyHeaderWriter.version1(header));
            SSLSocket secured = secure(socket, "localhost")) {
          assertTrue(get(secured).endsWith("client /192.0.2." + i + ":5000"));
        }
      }
    }
  }

  private static void assertClosed(Socket socket) throws IOException {
    try {
      assertEquals(-1, socket.getInputStream().read());
    } catch (IOException e) {
      assertTrue(e.getMessage().contains("reset"), e::toString);
    }
  }

  @Test
  void connectionWithoutAHeaderIsClosed() throws IOException {
    try (RunningServer server = listen(server(Versions.BOTH));
        Socket socket = connect(server, REQUEST.getBytes(US_ASCII))) {
      assertClosed(socket);
    }
  }

  @Test
  void headerOfAnUntrustedSenderIsNotBelieved() throws IOException {
    CidrSet others = CidrSet.of(List.of(Cidr.of("10.0.0.0/8")));
    try (RunningServer server = listen(server(Versions.BOTH).acceptProxyProtocol(others));
        Socket socket = connect(server, ProxyHeaderWriter.version1(HEADER))) {
      assertClosed(socket);
    }
  }

  @Test
  void missingHeaderHasADeadline() throws IOException {
    ProxyProtocolSettings hasty =
        ProxyProtocolSettings.of(LOOPBACK).withTimeout(Duration.ofMillis(50));
    try (RunningServer server = listen(server(Versions.BOTH).acceptProxyProtocol(hasty));
        Socket socket = connect(server, "PROXY".getBytes(US_ASCII))) {
      assertClosed(socket);
    }
  }

  @Test
  void serverDrainsWhileAHeaderIsIncomplete() throws IOException {
    RunningServer server = listen(server(Versions.BOTH));
    try (Socket first = connect(server, new byte[0]);
        Socket second = connect(server, "PROXY".getBytes(US_ASCII));
        Socket third = connect(server, ProxyHeaderWriter.version1(HEADER))) {
      assertTrue(get(third).endsWith("client /192.0.2.1:5000"));
      assertTrue(server.drain(Duration.ofSeconds(10)));
      assertClosed(first);
      assertClosed(second);
    }
  }
}
