package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClientResponseTest {

  private static final String CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

  /// A response and the events that it causes.
  record Sample(String wire, String summary, boolean reusable) {}

  static Stream<Sample> samples() {
    String done = ", end, COMPLETED] ";
    return Stream.of(
        new Sample(
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
            "[head 200" + done + "hello",
            true),
        new Sample("HTTP/1.1 404 \r\ncontent-length: 0\r\n\r\n", "[head 404" + done, true),
        new Sample("HTTP/1.1 204 No Content\r\n\r\n", "[head 204" + done, true),
        new Sample("HTTP/1.1 304 No\r\ncontent-length: 9\r\n\r\n", "[head 304" + done, true),
        new Sample(
            CHUNKED + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "[head 200" + done + "abcde", true),
        new Sample(
            CHUNKED + "1\r\na\r\n0\r\nt: 1\r\n\r\n",
            "[head 200, end " + dev.quickwater.http.HttpHeaders.of("t", "1") + ", COMPLETED] a",
            true),
        new Sample(
            "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na",
            "[103 " + dev.quickwater.http.HttpHeaders.of("link", "x") + ", head 200" + done + "a",
            true),
        new Sample(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi",
            "[head 200" + done + "hi",
            false),
        new Sample(
            "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi", "[head 200" + done + "hi", false),
        new Sample(
            "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nhi",
            "[head 200" + done + "hi",
            true));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void responseIsTheSameAtEverySplit(Sample sample) {
    String wire = sample.wire;
    for (int first = 0; first <= wire.length(); first++) {
      for (int second = first; second <= wire.length(); second += 7) {
        try (TestClient client = new TestClient()) {
          ClientLog log = client.get();
          for (String part :
              List.of(
                  wire.substring(0, first),
                  wire.substring(first, second),
                  wire.substring(second))) {
            if (!part.isEmpty()) {
              client.answer(part);
            }
          }
          check(sample, client, log);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void responseIsTheSameByteByByte(Sample sample) {
    try (TestClient client = new TestClient()) {
      ClientLog log = client.get();
      sample.wire.chars().forEach(c -> client.answer(String.valueOf((char) c)));
      check(sample, client, log);
    }
  }

  private static void check(Sample sample, TestClient client, ClientLog log) {
    assertEquals(sample.summary, log.summary());
    if (sample.reusable) {
      client.assertReusable();
    } else {
      client.assertClosed();
    }
  }

  @Test
  void bodyWithoutLengthEndsWithTheConnection() {
    try (TestClient client = new TestClient()) {
      ClientLog log = client.get();
      client.answer("HTTP/1.1 200 OK\r\n\r\nab").answer("c");
      client.peer.endInput();
      assertEquals("[head 200, end, COMPLETED] abc", log.summary());
      client.assertClosed();
    }
  }

  @Test
  void unreadBodyWithoutLengthSurvivesTheEndOfTheConnection() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\n\r\nabc");
      client.peer.endInput();
      assertEquals("[head 200] ", log.summary());
      log.readAll();
      client.assertClosed();
      assertEquals("[head 200, end, COMPLETED] abc", log.summary());
    }
  }

  @Test
  void responseOfHeadHasNoBody() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(HttpMethod.HEAD, "http://a/")).readAll();
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 900000000\r\n\r\n");
      assertEquals("[head 200, end, COMPLETED] ", log.summary());
      client.assertReusable();
    }
  }

  @Test
  void headIsHeldUntilSomeoneAsks() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.get("http://a/"));
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na");
      ClientLog log = new ClientLog(x).readAll();
      assertEquals("[] ", log.summary(), "inside of the registering call");
      client.peer.runTasks();
      assertEquals("[head 200, end, COMPLETED] a", log.summary());
      assertThrows(IllegalStateException.class, () -> x.onResponse(_ -> {}));
    }
  }

  @Test
  void serverIsNotReadWhileTheBodyIsNot() {
    try (TestClient client = new TestClient()) {
      ClientLog log = new ClientLog(client.open(RequestHead.get("http://a/")));
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nab");
      assertFalse(client.peer.isReading());
      log.read();
      client.peer.runTasks();
      assertEquals("ab", log.body());
      assertTrue(client.peer.isReading());
      client.answer("cd");
      assertFalse(client.peer.isReading());
      assertEquals("ab", log.body());
      log.readAll();
      client.answer("ef");
      assertEquals("[head 200, end, COMPLETED] abcdef", log.summary());
    }
  }

  @Test
  void bodyBeyondTheLimitResets() {
    for (String framing :
        List.of(
            "content-length: 5\r\n\r\nhello", "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n")) {
      try (TestClient client = new TestClient()) {
        ClientExchange x = client.open(RequestHead.get("http://a/"));
        x.limits(ExchangeLimits.DEFAULT.withMaxBody(4));
        ClientLog log = new ClientLog(x).readAll();
        client.sent();
        client.answer("HTTP/1.1 200 OK\r\n" + framing);
        assertEquals("[head 200, failed, RESET CANCEL] ", log.summary());
        assertTrue(log.outcome().cause() instanceof HttpException);
        client.assertClosed();
      }
    }
  }

  @Test
  void bodyBeyondTheLimitOfReadAllResets() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.get("http://a/"));
      var all = x.readAll(4);
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
      assertTrue(all.cause() instanceof HttpException);
      client.assertClosed();
    }
  }

  @Test
  void responseOpensTunnel() {
    for (boolean connect : List.of(true, false)) {
      try (TestClient client = new TestClient()) {
        ClientExchange x =
            client.open(
                connect
                    ? RequestHead.builder(HttpMethod.CONNECT, "b:1").build()
                    : RequestHead.builder(HttpMethod.GET, "http://a/").protocol("echo").build());
        ClientLog log = new ClientLog(x);
        client.sent();
        client.answer(
            (connect
                    ? "HTTP/1.1 200 OK\r\n\r\n"
                    : "HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n")
                + "first");
        assertTrue(x.isTunnel());
        List<String> seen = new ArrayList<>();
        x.tunnel(channel -> channel.pipeline().addLast(new Tunnel(seen)));
        client.peer.runTasks();
        client.answer("second");
        assertEquals(List.of("active", "first", "second"), seen);
        assertEquals("[head " + (connect ? 200 : 101) + ", COMPLETED] ", log.summary());
        client.advance(java.time.Duration.ofHours(1));
        assertFalse(client.peer.isClosed());
      }
    }
  }

  private static final class Tunnel implements ChannelHandler {
    private final List<String> seen;

    Tunnel(List<String> seen) {
      this.seen = seen;
    }

    @Override
    public void channelActive(HandlerContext context) {
      seen.add("active");
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      seen.add(bytes.toString(StandardCharsets.ISO_8859_1));
      bytes.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      seen.add("ended");
    }
  }

  @Test
  void endOfInputBehindBytesOfTheTunnelIsDelivered() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.builder(HttpMethod.CONNECT, "b:1").build());
      ClientLog log = new ClientLog(x);
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\n\r\nfirst");
      client.peer.endInput();
      List<String> seen = new ArrayList<>();
      x.tunnel(channel -> channel.pipeline().addLast(new Tunnel(seen)));
      client.peer.runTasks();
      assertEquals(List.of("active", "first", "ended"), seen);
      assertEquals("[head 200, COMPLETED] ", log.summary());
    }
  }

  @Test
  void onlyTunnelsBecomeChannels() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.get("http://a/"));
      assertThrows(IllegalStateException.class, () -> x.tunnel(_ -> {}));
    }
  }

  @Test
  void callbackThatThrowsEndsTheExchange() {
    try (TestClient client = new TestClient()) {
      ClientExchange x = client.open(RequestHead.get("http://a/"));
      List<Object> outcomes = new ArrayList<>();
      x.onEnd(outcome -> outcomes.add(outcome.code()));
      x.onResponse(_ -> {
        throw new IllegalStateException("fault of the test");
      });
      client.sent();
      client.answer("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na");
      client.assertClosed();
      assertEquals(List.of(dev.quickwater.http.ResetCode.INTERNAL_ERROR), outcomes);
    }
  }
}
