package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Promised responses (RFC 9113 section 8.4). The peer accepts them unless it sends the setting.
final class PushTest {

  private static final RequestHead STYLE = RequestHead.get("/style.css");

  private final List<String> requests = new ArrayList<>();
  private final List<Outcome> ends = new ArrayList<>();
  private @Nullable HttpExchange held;
  private int promises = 1;
  private final TunnelPeer client = new TunnelPeer(this::handle);

  @AfterEach
  void close() {
    client.close();
  }

  private void handle(HttpExchange x) {
    RequestHead head = x.request();
    requests.add(head + " " + head.scheme() + " " + head.authority() + " " + x.acceptsPush());
    x.onEnd(ends::add);
    switch (head.path()) {
      case "/" -> {
        for (int i = 0; i < promises; i++) {
          x.push(STYLE);
        }
        x.respond(HttpResponse.text("page"));
      }
      case "/style.css" ->
          x.respond(x.readAll(10).map(body -> HttpResponse.text("style" + body.length)));
      default -> held = x;
    }
  }

  private HttpExchange held() {
    return Objects.requireNonNull(held);
  }

  private void get(int stream, String path) {
    client.request(stream, ":method: GET", ":scheme: http", ":path: " + path, ":authority: a.test");
    client.end(stream);
  }

  private List<String> answers() throws Http2Exception {
    return client.answers().stream()
        .filter(line -> line.matches("(promise|headers|data|reset|goaway) .*"))
        .map(line -> line.startsWith("headers ") ? line.replaceAll(" [0-9a-f]{4,}", "") : line)
        .toList();
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(IllegalStateException.class, () -> held().push(STYLE)).getMessage());
  }

  @Test
  void promisedRequestIsHandledOnItsStream() throws Exception {
    get(1, "/");
    List<String> answers = answers();
    assertEquals(
        List.of(
            "headers 1", "data 1 page end padding 0", "headers 2", "data 2 style0 end padding 0"),
        answers.subList(1, answers.size()));
    String[] promise = answers.getFirst().split(" ", 4);
    assertEquals("promise 1 2", String.join(" ", List.of(promise).subList(0, 3)));
    assertEquals(
        List.of(":method: GET", ":scheme: http", ":path: /style.css", ":authority: a.test"),
        Blocks.decode(new HpackDecoder(4096), Blocks.hex(promise[3])));
    assertEquals(List.of("GET / http a.test true", "GET /style.css http a.test false"), requests);
    assertEquals(2, ends.size());
    assertTrue(ends.stream().allMatch(Outcome::isCompleted));
    get(3, "/");
    assertTrue(answers().getFirst().startsWith("promise 3 4 "));
  }

  @Test
  void clientThatDisablesPushGetsNoPromise() throws Exception {
    client.send(Frame.of(Frames.SETTINGS, 0, 0, "0002 00000000"));
    get(1, "/held");
    assertFalse(held().acceptsPush());
    assertTrue(refusal().endsWith("the client has disabled push (SETTINGS_ENABLE_PUSH)"));
    held().respond(HttpResponse.text("alone"));
    assertEquals(List.of("headers 1", "data 1 alone end padding 0"), answers());
  }

  @Test
  void streamsOfTheClientLimitThePromisedOnes() throws Exception {
    client.send(Frame.of(Frames.SETTINGS, 0, 0, "0003 00000002"));
    get(1, "/held");
    RequestHead slow = RequestHead.get("/slow");
    HttpExchange first = held();
    first.push(slow);
    first.push(slow);
    assertFalse(first.acceptsPush());
    assertTrue(refusal().endsWith("the client accepts no more than 2 pushed streams"));
    client.answers();
    held().respond(HttpResponse.text("one of the two"));
    assertTrue(first.acceptsPush());
  }

  @Test
  void promisedStreamsDoNotCountAsStreamsOfTheClient() throws Exception {
    get(1, "/held");
    HttpExchange first = held();
    for (int i = 0; i < 150; i++) {
      first.push(RequestHead.get("/slow"));
    }
    client.answers();
    for (int stream = 3; stream < 200; stream += 2) {
      get(stream, "/held");
    }
    assertTrue(answers().stream().noneMatch(line -> line.startsWith("reset")), "99 more streams");
    get(201, "/held");
    assertEquals(List.of("reset 201 REFUSED_STREAM"), answers());
  }

  @Test
  void promisesThatTheClientRefusesAreNoFlood() throws Exception {
    get(1, "/held");
    for (int i = 1; i <= 1_000; i++) {
      held().push(STYLE);
      client.reset(2 * i, ErrorCode.REFUSED_STREAM);
    }
    assertTrue(client.isConnected());
    assertEquals(0, answers().stream().filter(line -> line.startsWith("goaway")).count());
    assertTrue(held().acceptsPush());
  }

  @Test
  void resetOfAPromisedStreamEndsItsExchange() throws Exception {
    get(1, "/held");
    held().push(RequestHead.get("/slow"));
    client.answers();
    assertEquals("GET /slow http a.test false", requests.getLast());
    client.reset(2, ErrorCode.CANCEL);
    client.answers();
    assertEquals(Outcome.Kind.PEER_RESET, ends.getFirst().kind());
  }

  @Test
  void bodyOfAPromisedResponseObeysItsWindow() throws Exception {
    client.initialWindow(4);
    get(1, "/held");
    HttpExchange first = held();
    first.push(RequestHead.get("/slow"));
    client.answers();
    OutgoingBody body = held().respond(ResponseHead.of(HttpStatus.OK, HttpHeaders.EMPTY));
    assertTrue(body.isWritable());
    body.write(ByteBuf.utf8("abcdef"));
    body.end();
    assertEquals(List.of("headers 2", "data 2 abcd padding 0"), answers());
    client.window(2, 10);
    assertEquals(List.of("data 2 ef end padding 0"), answers());
  }

  @Test
  void clientSendsNothingOnAPromisedStream() throws Exception {
    get(1, "/held");
    held().push(RequestHead.get("/slow"));
    client.answers();
    client.data(2, "x");
    List<String> answers = answers();
    assertTrue(answers.toString().contains("STREAM_CLOSED"), answers.toString());
  }

  @Test
  void streamThatWasNotPromisedIsIdle() throws Exception {
    client.reset(2, ErrorCode.CANCEL);
    assertTrue(answers().getLast().contains("PROTOCOL_ERROR"));
  }

  @Test
  void unsafeRequestsAndThoseOfOtherServersCannotBePromised() {
    get(1, "/held");
    for (RequestHead head :
        List.of(
            RequestHead.builder(HttpMethod.POST, "/a").build(),
            RequestHead.builder(HttpMethod.GET, "/a").contentLength(3).build(),
            RequestHead.builder(HttpMethod.GET, "/a").protocol("websocket").build(),
            RequestHead.get("http://b.test/a"))) {
      String message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> held().push(head)).getMessage());
      assertTrue(message.contains("cannot be promised"), message);
    }
    held().push(RequestHead.get("http://a.test/a"));
  }

  @Test
  void nothingIsPromisedAfterTheEndOfTheResponse() {
    get(1, "/held");
    held().respond(HttpResponse.text("all"));
    assertFalse(held().acceptsPush());
    assertTrue(refusal().endsWith("the response has ended"));
  }

  @Test
  void promisedResponseCannotPromiseOthers() throws Exception {
    get(1, "/held");
    held().push(RequestHead.get("/slow"));
    client.answers();
    assertTrue(refusal().endsWith("a pushed response cannot promise others"));
  }

  @Test
  void nothingIsPromisedWhileTheConnectionDrains() {
    get(1, "/held");
    held().connection().drain();
    assertTrue(refusal().endsWith("the connection opens no further stream"));
  }

  @Test
  void goAwayOfTheClientEndsPromisesThatItHasNotProcessed() throws Exception {
    get(1, "/held");
    HttpExchange first = held();
    first.push(RequestHead.get("/slow"));
    first.push(RequestHead.get("/slow"));
    client.answers();
    client.send(Frame.of(Frames.GOAWAY, 0, 0, "00000002 00000000"));
    client.answers();
    assertEquals(1, ends.size());
    assertFalse(first.acceptsPush());
    first.respond(HttpResponse.text("all"));
    assertEquals(List.of("headers 1", "data 1 all end padding 0"), answers());
  }
}
