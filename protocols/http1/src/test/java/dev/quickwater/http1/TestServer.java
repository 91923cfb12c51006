package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.AbstractExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One connection to the handler under test, with the test as its peer. Closing it checks that
/// every buffer of its loop was released.
public final class TestServer implements AutoCloseable {

  /// Silenced, because tests provoke thousands of faults that would be warnings.
  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http");

  private static final Logger QUIET_1 = Logger.getLogger("dev.quickwater.http1");

  static {
    QUIET.setLevel(Level.OFF);
    QUIET_1.setLevel(Level.OFF);
  }

  /// The exchanges that were begun, in order.
  public final List<HttpExchange> exchanges = new ArrayList<>();

  /// How exchanges ended, in order.
  private final List<Outcome> outcomes = new ArrayList<>();

  public final EmbeddedChannel peer;
  private @Nullable Http1ServerHandler http1;

  public TestServer(HttpHandler handler) {
    this(Http1Settings.DEFAULT, handler);
  }

  public TestServer(Http1Settings settings, HttpHandler handler) {
    this(settings, ChannelSettings.DEFAULT, handler);
  }

  public TestServer(Http1Settings settings, ChannelSettings channels, HttpHandler handler) {
    peer =
        new EmbeddedChannel(
            channels.withHalfClose(true),
            channel -> {
              http1 =
                  new Http1ServerHandler(
                      settings,
                      exchange -> {
                        exchanges.add(exchange);
                        exchange.onEnd(outcomes::add);
                        handler.handle(exchange);
                      });
              channel.pipeline().addLast(http1);
            });
    peer.keepUnhandled(); // faults of the engine close the connection
  }

  /// How exchanges ended.
  public List<Outcome> outcomes() {
    peer.runTasks();
    return outcomes;
  }

  /// How many exchanges ended early.
  public int aborted() {
    return (int) outcomes().stream().filter(outcome -> !outcome.isCompleted()).count();
  }

  /// A handler that never responds.
  public static TestServer manual() {
    return new TestServer(_ -> {});
  }

  /// Responds to each request with its path.
  public static TestServer paths() {
    return new TestServer(x -> x.respond(HttpResponse.text(x.request().path())));
  }

  public Http1ServerHandler http1() {
    return Objects.requireNonNull(http1);
  }

  /// The exchange begun last.
  public HttpExchange last() {
    return exchanges.getLast();
  }

  /// True if a reader waits for the body of the exchange begun last.
  boolean isReading() {
    return last() instanceof AbstractExchange x && x.wantsBody();
  }

  public TestServer send(String text) {
    peer.send(text);
    return this;
  }

  public TestServer get(String path) {
    return send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  public TestServer advance(Duration time) {
    peer.advance(time);
    return this;
  }

  public TestServer advanceSeconds(long seconds) {
    return advance(Duration.ofSeconds(seconds));
  }

  public TestServer reset() {
    peer.fail(new IOException("connection reset"));
    return this;
  }

  /// The bytes sent since the last call, without Date fields.
  public String sent() {
    peer.runTasks();
    return peer.takeSentText().replaceAll("date: [^\r]*\r\n", "");
  }

  /// A head of status 200 for a body of `length` bytes, -1 if that is not known.
  static ResponseHead head(long length) {
    return ResponseHead.of(HttpStatus.OK).withLength(length);
  }

  /// The status line that was sent since the last call, and nothing before it.
  public String sentStatus() {
    String text = sent();
    return text.isEmpty() ? "" : text.substring(0, text.indexOf('\r'));
  }

  /// Requires that our direction has ended, and that the connection closes after the peer has read
  /// everything.
  public void assertLingers() {
    peer.runTasks();
    assertTrue(peer.isOutputEnded(), "our direction is open");
    assertFalse(peer.isClosed(), "closed without lingering");
    peer.endInput();
    assertTrue(peer.isClosed(), "open though both directions have ended");
  }

  public void assertOpen() {
    assertFalse(peer.isClosed() || peer.isOutputEnded(), "the connection is closed");
  }

  public void assertClosed() {
    peer.runTasks();
    assertTrue(peer.isClosed(), "the connection is open");
  }

  @Override
  public void close() {
    peer.channel().close();
    peer.runTasks();
    assertEquals(0, peer.loop().allocator().metrics().used(), "bytes of buffers still held");
    peer.close();
  }

  /// A whole response with text, as bytes on the wire.
  static String ok(String body) {
    return "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  static ByteBuf bytes(String text) {
    return ByteBuf.wrap(Parsing.bytes(text));
  }
}
