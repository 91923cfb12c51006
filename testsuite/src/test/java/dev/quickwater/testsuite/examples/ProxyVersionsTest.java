package dev.quickwater.testsuite.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.examples.HttpProxy;
import dev.quickwater.http.Authority;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.BlockingResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The proxy between versions of HTTP: the client's version, then that of the server behind.
final class ProxyVersionsTest {

  private static final LoopSettings LOOPS = new LoopSettings(1, "auto");
  private static final int PIECE = 64 << 10;

  /// Bytes of buffers in use by the proxy and the server together, however much is copied.
  private static final long MAX_USED = 8 << 20;

  private final Queue<String> versions = new ConcurrentLinkedQueue<>();

  private static RunningServer listen(HttpHandler handler) {
    HttpServerSettings settings = HttpServerSettings.DEFAULT.withLoops(LOOPS);
    return HttpServer.create(handler)
        .with(settings.withVersions(settings.versions().withExchanges(ExchangeLimits.UNLIMITED)))
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static HttpClient client(Versions version) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT.withLoops(LOOPS);
    return HttpClient.create(
        settings.withVersions(
            settings.versions().with(version).withExchanges(ExchangeLimits.UNLIMITED)));
  }

  /// A part of the test, with a client and the servers of a proxied path.
  private interface Body {
    void run(HttpClient client, RequestHead head, RunningServer front, RunningServer back)
        throws Exception;
  }

  private void proxied(Versions front, Versions back, HttpHandler origin, Body body)
      throws Exception {
    try (HttpClient client = client(front);
        HttpClient toOrigin = HttpProxy.client(back);
        RunningServer server =
            listen(x -> {
              versions.add("back " + x.connection().version());
              origin.handle(x);
            });
        RunningServer proxy = listen(noted(toOrigin, server))) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, "http://127.0.0.1:" + proxy.port() + "/path")
              .contentLength(RequestHead.UNKNOWN_LENGTH)
              .build();
      body.run(client, head, proxy, server);
    }
  }

  private HttpHandler noted(HttpClient toOrigin, RunningServer server) {
    HttpProxy proxy = new HttpProxy(toOrigin, new Authority("127.0.0.1", server.port()));
    return x -> {
      versions.add("front " + x.connection().version());
      proxy.handle(x);
    };
  }

  private static void echo(HttpExchange x) {
    x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK)));
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1, HTTP_2", "HTTP_2, HTTP_1_1", "HTTP_2, HTTP_2"})
  void bodiesAndTrailersAreCopiedBetweenVersions(Versions front, Versions back) throws Exception {
    proxied(
        front,
        back,
        ProxyVersionsTest::echo,
        (client, head, _, _) -> {
          try (BlockingResponse response =
              client
                  .blocking()
                  .open(
                      head,
                      out -> {
                        out.write("some content".getBytes(UTF_8));
                        out.trailers(HttpHeaders.of("t", "1"));
                      })) {
            assertEquals("some content", new String(response.body().readAllBytes(), UTF_8));
            assertEquals("1", response.trailers().get("t"));
          }
        });
    assertEquals("[front " + text(front) + ", back " + text(back) + "]", versions.toString());
  }

  private static String text(Versions version) {
    return version == Versions.HTTP_2 ? "HTTP/2" : "HTTP/1.1";
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1, HTTP_2", "HTTP_2, HTTP_1_1", "HTTP_2, HTTP_2"})
  void largeBodiesAreCopiedBothWaysInFlatMemory(Versions front, Versions back) throws Exception {
    copy(front, back, 64 << 20);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({"HTTP_1_1, HTTP_2", "HTTP_2, HTTP_1_1"})
  void gibibyteIsCopiedBothWaysInFlatMemory(Versions front, Versions back) throws Exception {
    copy(front, back, 1 << 30);
  }

  private void copy(Versions front, Versions back, int length) throws Exception {
    proxied(
        front,
        back,
        ProxyVersionsTest::echo,
        (client, head, proxy, server) -> {
          try (BlockingResponse response =
              client
                  .blocking()
                  .open(
                      head,
                      out -> {
                        for (int i = 0; i < length / PIECE; i++) {
                          out.write(piece(i));
                        }
                        out.trailers(HttpHeaders.of("t", "1"));
                      })) {
            long used = 0;
            InputStream in = response.body();
            for (int i = 0; i < length / PIECE; i++) {
              assertArrayEquals(piece(i), in.readNBytes(PIECE), "piece " + i);
              used = Math.max(used, used(proxy, server));
            }
            assertEquals(-1, in.read());
            assertEquals("1", response.trailers().get("t"));
            assertTrue(used < MAX_USED, "buffers of " + used + " bytes");
          }
        });
  }

  /// The shared allocator counts twice.
  private static long used(RunningServer proxy, RunningServer server) {
    return proxy.usedBytes() + server.usedBytes();
  }

  private static byte[] piece(int number) {
    byte[] bytes = new byte[PIECE];
    ByteBuffer.wrap(bytes).putInt(0, number).putInt(PIECE / 2, ~number);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1, HTTP_2", "HTTP_2, HTTP_1_1", "HTTP_2, HTTP_2"})
  void clientThatDoesNotReadHoldsBackTheServerBehind(Versions front, Versions back)
      throws Exception {
    int length = 64 << 20;
    Source source = new Source(length);
    proxied(
        front,
        back,
        source,
        (client, head, proxy, server) -> {
          try (BlockingResponse response = client.blocking().open(head, _ -> {})) {
            assertTrue(source.heldBack.await(30, TimeUnit.SECONDS));
            assertTrue(used(proxy, server) < MAX_USED);
            byte[] bytes = new byte[PIECE];
            long count = 0;
            long used = 0;
            for (int n = response.body().read(bytes); n >= 0; n = response.body().read(bytes)) {
              count += n;
              used = Math.max(used, used(proxy, server));
            }
            assertEquals(length, count);
            assertTrue(used < MAX_USED, "buffers of " + used + " bytes");
          }
        });
  }

  /// Writes a number of bytes as fast as they are taken.
  private static final class Source implements HttpHandler {

    private final CountDownLatch heldBack = new CountDownLatch(1);
    private int left;

    Source(int length) {
      left = length;
    }

    @Override
    public void handle(HttpExchange x) {
      write(x, x.respond(ResponseHead.of(HttpStatus.OK)));
    }

    private void write(HttpExchange x, OutgoingBody out) {
      while (left > 0 && out.isWritable()) {
        ByteBuf bytes = x.loop().allocator().allocate(PIECE);
        out.write(bytes.writeBytes(new byte[PIECE]));
        left -= PIECE;
      }
      if (left == 0) {
        out.end();
        return;
      }
      out.flush();
      heldBack.countDown();
      out.onWritable(() -> write(x, out));
    }
  }
}
