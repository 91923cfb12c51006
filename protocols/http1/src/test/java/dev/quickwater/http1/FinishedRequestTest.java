package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An idle connection does not keep its last request, whose head may be as large as `maxHeadSize`.
final class FinishedRequestTest {

  private static final int MAX_COLLECTIONS = 20;
  private static final long WAIT_MILLIS = 250;

  private static final String LARGE_HEAD =
      " HTTP/1.1\r\nHost: a\r\nCookie: " + "x".repeat(7000) + "\r\n";

  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  private final List<Reference<Object>> watched = new ArrayList<>();

  @Test
  void requestAnsweredAtOnceIsReclaimed() throws Exception {
    try (TestServer server = TestServer.paths()) {
      server.send("GET /" + LARGE_HEAD + "\r\n");
      watch(server);
      assertReclaimed();
      server.assertOpen();
    }
  }

  @Test
  void requestAnsweredLaterIsReclaimed() throws Exception {
    try (TestServer server = TestServer.manual()) {
      server.send("GET /" + LARGE_HEAD + "\r\n");
      server.last().respond(HttpResponse.text("x"));
      watch(server);
      assertReclaimed();
      server.assertOpen();
    }
  }

  @Test
  void requestAndTrailersOfAChunkedBodyAreReclaimed() throws Exception {
    try (TestServer server = new TestServer(x -> x.requestBody().read(new Reader(x)))) {
      server.send(
          "POST /"
              + LARGE_HEAD
              + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Sum: y\r\n\r\n");
      watch(server);
      assertEquals(5, watched.size(), "the trailers did not arrive");
      assertReclaimed();
      server.assertOpen();
    }
  }

  @Test
  void parserDropsTheHeadOnTheWayToTheNextRequest() throws Exception {
    RequestParser parser = new RequestParser(Http1Settings.DEFAULT);
    ByteBuf in = TestServer.bytes("BREW /" + LARGE_HEAD + "\r\n");
    assertSame(RequestParser.Result.HEAD, parser.parse(in));
    watch(parser.request());
    watch(parser.request().method());
    parser.next();
    assertReclaimed();
    Reference.reachabilityFence(parser);
  }

  private final class Reader implements BodyReader {

    private final HttpExchange exchange;

    Reader(HttpExchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public void data(ByteBuf bytes) {
      bytes.release();
      exchange.requestBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
      watch(trailers);
      exchange.respond(HttpResponse.text("x"));
    }
  }

  /// Watches the objects of the last exchange of `server`; the test keeps no other reference to
  /// them.
  private void watch(TestServer server) {
    server.outcomes().clear();
    HttpExchange exchange = server.last();
    watch(exchange);
    watch(exchange.request());
    watch(exchange.request().target());
    watch(exchange.request().headers());
    server.exchanges.clear();
  }

  private void watch(Object part) {
    watched.add(new WeakReference<>(part, queue));
  }

  private void assertReclaimed() throws InterruptedException {
    int held = watched.size();
    for (int i = 0; i < MAX_COLLECTIONS && held > 0; i++) {
      System.gc();
      while (held > 0 && queue.remove(WAIT_MILLIS) != null) {
        held--;
      }
    }
    List<String> kept = new ArrayList<>();
    for (Reference<Object> part : watched) {
      Object object = part.get();
      if (object != null) {
        kept.add(object.getClass().getSimpleName());
      }
    }
    assertEquals(List.of(), kept, "still reachable");
  }
}
