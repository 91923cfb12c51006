package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One connection of the client's handler, with the test as the server. Closing it checks that
/// every buffer of its loop was released.
final class TestClient implements AutoCloseable {

  /// Silenced, because tests provoke thousands of faults that would be warnings.
  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http");

  static {
    QUIET.setLevel(Level.OFF);
  }

  final EmbeddedChannel peer;
  private @Nullable Http1ClientHandler http1;

  TestClient() {
    this(Http1Settings.DEFAULT);
  }

  TestClient(Http1Settings settings) {
    this(settings, Http1ClientHandler.Peer.ORIGIN);
  }

  TestClient(Http1Settings settings, Http1ClientHandler.Peer to) {
    peer =
        new EmbeddedChannel(
            ChannelSettings.DEFAULT.withHalfClose(true),
            channel -> {
              http1 = new Http1ClientHandler(settings, to);
              channel.pipeline().addLast(http1);
            });
    peer.keepUnhandled();
  }

  Http1ClientHandler http1() {
    return Objects.requireNonNull(http1);
  }

  /// Opens an exchange, which begins at once.
  ClientExchange open(RequestHead head) {
    ClientExchange opened = http1().connection().open(head).value();
    peer.runTasks();
    return opened;
  }

  ClientExchange open(HttpMethod method, String uri) {
    return open(RequestHead.builder(method, uri).build());
  }

  /// Sends a GET and collects its response.
  ClientLog get() {
    ClientLog log = new ClientLog(open(RequestHead.get("http://a/"))).readAll();
    peer.runTasks();
    return log;
  }

  /// Opens a POST without a known length.
  ClientExchange post() {
    return open(post(RequestHead.UNKNOWN_LENGTH));
  }

  static RequestHead post(long length) {
    return RequestHead.builder(HttpMethod.POST, "http://a/").contentLength(length).build();
  }

  TestClient answer(String text) {
    peer.send(text);
    return this;
  }

  TestClient advance(Duration time) {
    peer.advance(time);
    return this;
  }

  TestClient reset() {
    peer.fail(new IOException("connection reset"));
    return this;
  }

  String sent() {
    peer.runTasks();
    return peer.takeSentText();
  }

  void assertClosed() {
    peer.runTasks();
    assertTrue(peer.isClosed(), "the connection is open");
  }

  void assertReusable() {
    peer.runTasks();
    assertFalse(peer.isClosed(), "the connection is closed");
    assertTrue(http1().canOpen(), "the connection carries no further exchange");
  }

  @Override
  public void close() {
    peer.channel().close();
    peer.runTasks();
    assertEquals(0, peer.loop().allocator().metrics().used(), "bytes of buffers still held");
    peer.close();
  }
}
