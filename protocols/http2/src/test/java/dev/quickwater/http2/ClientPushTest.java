package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Promised responses that a client receives (RFC 9113 section 8.4).
final class ClientPushTest {

  private static final String[] STYLE = {
    ":method: GET", ":scheme: http", ":path: /style.css", ":authority: a.test"
  };

  private final List<String> promised = new ArrayList<>();
  private final List<ClientExchange> pushes = new ArrayList<>();
  private final List<Outcome> ends = new ArrayList<>();
  private final ServerPeer server = new ServerPeer(settings(2), this::promised);

  private static Http2Settings settings(int maxStreams) {
    Http2Settings.StreamLimits limits = Http2Settings.StreamLimits.DEFAULT;
    return Http2Settings.DEFAULT.withStreams(
        new Http2Settings.StreamLimits(
            maxStreams,
            limits.maxHeadSize(),
            limits.maxFields(),
            limits.maxDiscard(),
            limits.headerTable()));
  }

  private void promised(RequestHead cause, ClientExchange push) {
    promised.add(cause + " " + push.request() + " " + push.request().authority());
    if (push.request().path().equals("/throw")) {
      throw new IllegalArgumentException("not wanted");
    }
    push.onEnd(ends::add);
    pushes.add(push);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private ClientExchange open() throws Exception {
    ClientExchange opened = server.open(RequestHead.get("http://a.test/"));
    server.received();
    return opened;
  }

  private void promise(int on, int id, String... fields) {
    String target = HexFormat.of().toHexDigits(id);
    byte[] block = server.block(fields);
    server.send(
        Frame.of(
            Frames.PUSH_PROMISE,
            Frames.END_HEADERS,
            on,
            Frame.join(HexFormat.of().parseHex(target), block)));
  }

  @Test
  void settingsEnablePushAndLimitItsStreams() throws Exception {
    List<String> settings = server.received();
    assertFalse(settings.contains("setting 2 0"));
    assertTrue(settings.contains("setting 3 2"));
  }

  @Test
  void pushedResponseIsRead() throws Exception {
    ClientExchange page = open();
    promise(1, 2, STYLE);
    assertEquals(List.of("GET / GET /style.css a.test"), promised);
    Future<byte[]> style = pushes.getFirst().readAll(100);
    server.headers(1, ":status: 200").headers(2, ":status: 200").data(2, "body ");
    server.lastData(1, "page").lastData(2, "{}");
    assertEquals("body {}", Blocks.latin(style.value()));
    assertEquals("page", Blocks.latin(all(page)));
    assertEquals(List.of(Outcome.Kind.COMPLETED), ends.stream().map(Outcome::kind).toList());
    assertEquals(0, server.client.engine().streamCount());
    assertEquals(List.of(), server.received(2));
  }

  private byte[] all(ClientExchange exchange) throws Exception {
    Future<byte[]> body = exchange.readAll(100);
    server.received();
    return body.value();
  }

  @Test
  void headOfAPushIsHeldUntilItsCallbackIsRegistered() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.lastHeaders(2, ":status: 404");
    List<Integer> statuses = new ArrayList<>();
    pushes.getFirst().onResponse(head -> statuses.add(head.status().code()));
    assertEquals(0, all(pushes.getFirst()).length);
    assertEquals(List.of(404), statuses);
  }

  @Test
  void resetOfAPushCancelsItsStream() throws Exception {
    ClientExchange page = open();
    promise(1, 2, STYLE);
    pushes.getFirst().reset(ResetCode.CANCEL);
    assertEquals(List.of("reset 2 CANCEL"), server.received(2));
    server.headers(2, ":status: 200").lastData(2, "in flight");
    server.headers(1, ":status: 200").lastData(1, "page");
    assertEquals("page", Blocks.latin(all(page)));
  }

  @Test
  void listenerThatThrowsResetsThePush() throws Exception {
    open();
    promise(1, 2, ":method: GET", ":scheme: http", ":path: /throw", ":authority: a.test");
    assertEquals(List.of("reset 2 INTERNAL_ERROR"), server.received(2));
  }

  @Test
  void promisesAboveTheLimitAreRefused() throws Exception {
    open();
    for (int id = 2; id <= 6; id += 2) {
      promise(1, id, STYLE);
    }
    assertEquals(2, pushes.size());
    assertEquals(List.of("reset 6 REFUSED_STREAM"), server.received(6));
    server.headers(6, ":status: 200").lastData(6, "in flight");
    pushes.getFirst().reset(ResetCode.CANCEL);
    promise(1, 8, STYLE);
    assertEquals(3, pushes.size());
    assertTrue(server.isConnected());
  }

  @Test
  void promisedStreamsDoNotCountAsRequests() throws Exception {
    server.send(Frame.of(Frames.SETTINGS, 0, 0, "0003 00000002"));
    open();
    promise(1, 2, STYLE);
    promise(1, 4, STYLE);
    assertTrue(server.client.engine().canOpen());
    open();
    assertFalse(server.client.engine().canOpen());
  }

  @Test
  void floodOfRefusedPromisesClosesTheConnection() throws Exception {
    open();
    for (int id = 2; id < 10_000 && server.isConnected(); id += 2) {
      promise(1, id, STYLE);
      server.received();
    }
    assertFalse(server.isConnected());
    assertEquals(2, pushes.size());
  }

  @ParameterizedTest
  @CsvSource({
    "POST, http, a.test",
    "GET, http, b.test",
    "GET, http, a.test:81",
    "GET, https, a.test",
    "CONNECT, http, a.test",
    "G T, http, a.test"
  })
  void promiseThatTheServerMayNotMakeIsReset(String method, String scheme, String authority)
      throws Exception {
    open();
    promise(
        1, 2, ":method: " + method, ":scheme: " + scheme, ":path: /a", ":authority: " + authority);
    assertEquals(List.of("reset 2 PROTOCOL_ERROR"), server.received(2));
    assertEquals(List.of(), promised);
    assertTrue(server.isConnected());
    promise(1, 4, ":method: HEAD", ":scheme: http", ":path: /a", ":authority: a.test:80");
    assertEquals(List.of("GET / HEAD /a a.test:80"), promised);
  }

  @Test
  void promiseOfARequestWithABodyIsReset() throws Exception {
    open();
    promise(
        1,
        2,
        ":method: GET",
        ":scheme: http",
        ":path: /a",
        ":authority: a.test",
        "content-length: 3");
    assertEquals(List.of("reset 2 PROTOCOL_ERROR"), server.received(2));
  }

  @Test
  void promiseOnAResetStreamIsRefused() throws Exception {
    ClientExchange page = open();
    page.reset(ResetCode.CANCEL);
    promise(1, 2, STYLE);
    assertEquals(List.of("reset 2 REFUSED_STREAM"), server.received(2));
    assertEquals(List.of(), promised);
  }

  @ParameterizedTest
  @CsvSource({"1, 3", "3, 2", "2, 4"})
  void promiseOnOrOfAnImpossibleStreamClosesTheConnection(int on, int id) throws Exception {
    open();
    promise(on, id, STYLE);
    List<String> received = server.received();
    assertTrue(received.toString().contains("PROTOCOL_ERROR"), received.toString());
    assertFalse(server.isConnected());
  }

  @Test
  void idsOfPromisedStreamsIncrease() throws Exception {
    open();
    promise(1, 4, STYLE);
    promise(1, 2, STYLE);
    assertFalse(server.isConnected());
  }

  @Test
  void promiseAfterTheEndOfTheResponseClosesTheConnection() throws Exception {
    ClientExchange page = open();
    server.lastHeaders(1, ":status: 204");
    all(page);
    promise(1, 2, STYLE);
    assertFalse(server.isConnected());
  }

  @Test
  void promiseAfterAResponseThatEndedBeforeItsRequestClosesTheConnection() throws Exception {
    RequestHead upload =
        RequestHead.builder(HttpMethod.POST, "http://a.test/").contentLength(3).build();
    ClientExchange page = server.open(upload);
    page.requestBody().flush();
    server.headers(1, ":status: 200").lastData(1, "page");
    promise(1, 2, STYLE);
    List<String> received = server.received();
    assertTrue(received.toString().contains("PROTOCOL_ERROR"), received.toString());
    assertFalse(server.isConnected());
  }

  @Test
  void resetByTheServerEndsThePush() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.send(Frame.of(Frames.RST_STREAM, 0, 2, "00000008"));
    assertEquals(Outcome.Kind.PEER_RESET, ends.getFirst().kind());
  }

  @Test
  void dataBeforeTheHeadOfAPushClosesTheConnection() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.data(2, "early");
    assertFalse(server.isConnected());
    assertEquals(1, ends.size());
  }

  @Test
  void pushWithoutAResponseEndsAfterTheHeadTimeout() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.advance(Duration.ofSeconds(12));
    assertEquals(Outcome.Kind.TIMEOUT, ends.getFirst().kind());
    assertEquals(List.of("reset 2 CANCEL"), server.received(2));
  }

  @Test
  void bodyLimitOfAPushIsThatOfItsExchange() throws Exception {
    open();
    promise(1, 2, STYLE);
    ClientExchange push = pushes.getFirst();
    push.limits(ExchangeLimits.DEFAULT.withMaxBody(3));
    Future<byte[]> body = push.readAll(100);
    server.headers(2, ":status: 200").data(2, "1234");
    assertFalse(body.isSuccess());
    assertTrue(server.received(2).contains("reset 2 CANCEL"));
  }

  /// The initial window of a stream.
  @Test
  void unreadPushIsLimitedByItsWindow() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.headers(2, ":status: 200");
    int window = Http2Settings.DEFAULT.windows().initial();
    String piece = "x".repeat(16_000);
    for (int sent = 0; sent <= window; sent += piece.length()) {
      server.data(2, piece);
    }
    assertTrue(server.received(2).contains("reset 2 FLOW_CONTROL_ERROR"));
    assertTrue(server.isConnected());
  }

  @Test
  void drainKeepsPromisedStreamsAndRefusesFurther() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.client.connection().drain();
    List<String> frames = server.received();
    assertTrue(frames.toString().contains("goaway 2 NO_ERROR"), frames.toString());
    promise(1, 4, STYLE);
    assertEquals(List.of("reset 4 REFUSED_STREAM"), server.received(4));
    Future<byte[]> style = pushes.getFirst().readAll(100);
    server.headers(2, ":status: 200").lastData(2, "late");
    server.lastHeaders(1, ":status: 204");
    assertEquals("late", Blocks.latin(style.value()));
  }

  @Test
  void goAwayOfTheServerKeepsPromisedStreams() throws Exception {
    open();
    promise(1, 2, STYLE);
    server.send(Frame.of(Frames.GOAWAY, 0, 0, "00000001 00000000"));
    Future<byte[]> style = pushes.getFirst().readAll(100);
    server.headers(2, ":status: 200").lastData(2, "late");
    assertEquals("late", Blocks.latin(style.value()));
  }

  @Test
  void promiseToAClientWithoutAListenerClosesTheConnection() throws Exception {
    try (ServerPeer peer = new ServerPeer(Http2Settings.DEFAULT)) {
      assertTrue(peer.received().contains("setting 2 0"));
      peer.open(RequestHead.get("http://a.test/"));
      byte[] block = peer.block(STYLE);
      peer.send(
          Frame.of(
              Frames.PUSH_PROMISE,
              Frames.END_HEADERS,
              1,
              Frame.join(new byte[] {0, 0, 0, 2}, block)));
      assertFalse(peer.isConnected());
    }
  }
}
