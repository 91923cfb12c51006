package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that was treated badly has the descriptors and buffers of before.
class HostileClientsTest {

  private static final String POST =
      "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5;a=\"b\"\r\nhello\r\n3\r\nabc\r\n0\r\nx-t: 1\r\n\r\n";

  private interface Abuse {
    void of(ServeProcess server) throws IOException;
  }

  private static void assertBaseline(String transport, Abuse abuse)
      throws IOException, InterruptedException {
    try (ServeProcess server = ServeProcess.on(transport)) {
      // What is made once, by the first request of each kind, belongs to the baseline.
      server.exchange(POST.replace("Host: t", "Host: t\r\nConnection: close"));
      server.get("/stats");
      long used = server.figure("usedBytes");
      int descriptors = server.descriptors();
      abuse.of(server);
      ServeProcess.eventually("one connection", () -> server.figure("connections") == 1);
      ServeProcess.eventually("buffers of before", () -> server.figure("usedBytes") <= used);
      ServeProcess.eventually("descriptors of before", () -> server.descriptors() <= descriptors);
      assertTrue(server.get("/plaintext").endsWith("Hello, World!"));
      assertEquals(0, server.terminate());
      assertEquals("", server.errors());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void connectionsCutAtEveryStageOfRequest(String transport) throws Exception {
    byte[] bytes = POST.getBytes(StandardCharsets.US_ASCII);
    assertBaseline(
        transport,
        server -> {
          for (int cut = 0; cut <= bytes.length; cut++) {
            for (boolean reset : new boolean[] {false, true}) {
              try (Socket socket = server.connect()) {
                socket.getOutputStream().write(bytes, 0, cut);
                if (reset) {
                  socket.setSoLinger(true, 0);
                }
              }
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void thousandConnectionsAtOnce(String transport) throws Exception {
    assertBaseline(
        transport,
        server -> {
          List<Socket> sockets = new ArrayList<>();
          for (int i = 0; i < 1000; i++) {
            sockets.add(server.connect());
          }
          byte[] request =
              "GET /plaintext HTTP/1.1\r\nHost: t\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
          for (Socket socket : sockets) {
            socket.getOutputStream().write(request);
          }
          byte[] answer = new byte[1024];
          for (Socket socket : sockets) {
            int length = socket.getInputStream().read(answer);
            assertTrue(new String(answer, 0, length, StandardCharsets.US_ASCII).endsWith("World!"));
          }
          for (Socket socket : sockets) {
            socket.close();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void tenThousandShortConnections(String transport) throws Exception {
    assertBaseline(
        transport,
        server -> {
          for (int i = 0; i < 10_000; i++) {
            try (Socket socket = server.connect()) {
              socket.setSoLinger(true, 0); // no port stays behind in TIME_WAIT
              socket
                  .getOutputStream()
                  .write("GET /plaintext HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              assertEquals('H', socket.getInputStream().read());
            }
          }
        });
  }

  /// Sends requests and reads nothing: the server stops reading too, and its memory stays small.
  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void peerThatNeverReadsCostsBoundedMemory(String transport) throws Exception {
    byte[] batch =
        "GET /plaintext HTTP/1.1\r\nHost: t\r\n\r\n"
            .repeat(1000)
            .getBytes(StandardCharsets.US_ASCII);
    assertBaseline(
        transport,
        server -> {
          try (Socket socket = server.connect()) {
            socket.setSoTimeout(100);
            Thread writer =
                Thread.ofVirtual()
                    .start(() -> {
                      try {
                        for (int i = 0; i < 1000; i++) {
                          socket.getOutputStream().write(batch);
                        }
                      } catch (SocketException _) {
                        // closed below, while it waits for the server to read
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    });
            for (int i = 0; i < 50; i++) {
              long used = server.figure("usedBytes");
              assertTrue(used < 4 << 20, "uses " + used + " bytes");
            }
            assertTrue(
                writer.isAlive(), "a million requests were taken from a peer that reads none");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void badRequestsAreAnsweredAndClosed(String transport) throws Exception {
    assertBaseline(
        transport,
        server -> {
          assertStatus(server, "400", "GET / HTTP/1.1\r\n\r\n");
          assertStatus(server, "400", "GET / HTTP/1.1\nHost: t\n\n");
          assertStatus(server, "400", "\u0016\u0003\u0001 not for this port");
          assertStatus(server, "414", "GET /" + "a".repeat(9000) + " HTTP/1.1\r\n\r\n");
          assertStatus(
              server, "431", "GET / HTTP/1.1\r\nHost: t\r\nX: " + "a".repeat(40_000) + "\r\n\r\n");
          assertStatus(
              server,
              "501",
              "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
          assertStatus(server, "501", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
          assertStatus(server, "505", "GET / HTTP/3.0\r\nHost: t\r\n\r\n");
        });
  }

  private static void assertStatus(ServeProcess server, String status, String request)
      throws IOException {
    String answer = server.exchange(request);
    assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
    assertTrue(answer.toLowerCase(java.util.Locale.ROOT).contains("connection: close"), answer);
  }
}
