package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A client whose server has several addresses.
final class HappyEyeballsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }

  private static HttpClient client(String... literals) {
    InetAddress[] found = new InetAddress[literals.length];
    for (int i = 0; i < found.length; i++) {
      found[i] = address(literals[i]);
    }
    return HttpClient.create(
        HttpClientSettings.DEFAULT.withLoops(new LoopSettings(1, "nio")),
        TlsSettings.client(),
        _ -> found);
  }

  @Test
  void anAddressThatDoesNotAnswerCostsOneDelay() throws Exception {
    try (Silent silent = new Silent();
        RunningServer server =
            HttpServer.create(x -> x.respond(HttpResponse.text("found")))
                .listen(new InetSocketAddress(address("127.0.0.2"), silent.port()));
        HttpClient client = client("127.0.0.1", "127.0.0.2")) {
      assertEquals("found", client.get("http://name.test:" + server.port()).await(PATIENCE).text());
    }
  }

  @Test
  void aRefusedAddressIsFollowedAtOnce() throws Exception {
    try (RunningServer server =
            HttpServer.create(x -> x.respond(HttpResponse.text("found")))
                .listen(new InetSocketAddress(address("127.0.0.2"), 0));
        HttpClient client = client("127.0.0.3", "127.0.0.4", "127.0.0.2")) {
      assertEquals("found", client.get("http://name.test:" + server.port()).await(PATIENCE).text());
    }
  }

  @Test
  void addressFamiliesAlternate() throws UnknownHostException {
    InetAddress[] found = {
      address("2001:db8::1"), address("2001:db8::2"), address("2001:db8::3"), address("192.0.2.1")
    };
    InetAddress[] expected = {found[0], found[3], found[1], found[2]};
    assertArrayEquals(expected, Connector.alternating(found));
  }

  /// A port that answers no further connection: its queue is full.
  private static final class Silent implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 1, address("127.0.0.1"));
    private final List<Socket> queued = new ArrayList<>();

    Silent() throws IOException {
      boolean full = false;
      while (!full) {
        Socket next = new Socket();
        queued.add(next);
        try {
          next.connect(socket.getLocalSocketAddress(), 200);
        } catch (SocketTimeoutException _) {
          full = true;
        }
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      for (Socket one : queued) {
        one.close();
      }
      socket.close();
    }
  }
}
