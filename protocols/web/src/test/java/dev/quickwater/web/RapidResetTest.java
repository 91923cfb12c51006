package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.BlockingLimits;
import dev.quickwater.http.HttpResponse;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CVE-2023-44487 on HTTP/1.1: a peer sends requests and resets their connections. Handlers that
/// ignore the interrupt occupy no more than the share of one peer.
final class RapidResetTest {

  private static final int MAX_PER_PEER = 50;
  private static final BlockingLimits LIMITS = new BlockingLimits(200, MAX_PER_PEER);

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException _) {
        // work that does not stop
      }
    }
  }

  private static void requestAndReset(RunningServer server) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write("GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.setSoLinger(true, 0);
    }
  }

  /// The answer to a request from another address of the loopback network.
  private static String neighbour(RunningServer server) throws Exception {
    try (Socket socket =
        new Socket(
            InetAddress.getLoopbackAddress(),
            server.port(),
            InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
            0)) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "epoll"})
  void peerThatResetsOccupiesItsShareOnly(String transport) throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    try (RunningServer server =
        Servers.start(
            transport,
            Blocking.handler(
                x -> {
                  if (x.request().path().equals("/stuck")) {
                    running.incrementAndGet();
                    awaitUninterruptibly(release);
                    running.decrementAndGet();
                  }
                  return HttpResponse.text("x");
                },
                LIMITS))) {
      try {
        for (int pairs = 0; pairs < 1000 || running.get() < MAX_PER_PEER; pairs++) {
          requestAndReset(server);
          assertTrue(running.get() <= MAX_PER_PEER);
          if (pairs % 100 == 0) {
            assertTrue(neighbour(server).startsWith("HTTP/1.1 200 "));
          }
        }
        Wire.Answer refused = Wire.get(server, "/");
        assertEquals(429, refused.status());
        assertEquals("1", refused.field("retry-after"));
        assertTrue(neighbour(server).startsWith("HTTP/1.1 200 "));
      } finally {
        release.countDown();
      }
      Baseline.await("handlers return", () -> running.get() == 0);
      Baseline.await("no connections", () -> server.connections() == 0);
      Baseline.await("the peer is served", () -> status(server) == 200);
    }
  }

  private static int status(RunningServer server) {
    try {
      return Wire.get(server, "/").status();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
