package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// When a server ends a connection by itself.
final class TimersTest {

  private static final String[] HEAD = {
    ":method: GET", ":scheme: http", ":path: /", ":authority: server.test"
  };

  private final List<HttpExchange> exchanges = new ArrayList<>();

  private EmbeddedChannel server(Http2Settings settings) {
    return new EmbeddedChannel(
        ChannelSettings.DEFAULT.withHalfClose(true),
        channel -> channel.pipeline().addLast(new Http2ServerHandler(settings, exchanges::add)));
  }

  private static boolean ended(EmbeddedChannel server) {
    return server.isOutputEnded() || server.isClosed();
  }

  /// Time passes in steps, because a step ends with the tasks that are due.
  private static void pass(EmbeddedChannel server, int seconds) {
    for (int i = 0; i < seconds; i++) {
      server.advance(Duration.ofSeconds(1));
    }
  }

  private static byte[] request(int stream) {
    return Frame.of(
        Frames.HEADERS,
        Frames.END_HEADERS | Frames.END_STREAM,
        stream,
        Blocks.encode(new HpackEncoder(0), List.of(HEAD)));
  }

  private static void send(EmbeddedChannel server, byte[]... frames) {
    server.send(ByteBuf.wrap(Frame.join(frames)));
  }

  @Test
  void silentPeerIsDisconnected() {
    EmbeddedChannel server = server(Http2Settings.DEFAULT);
    pass(server, 9);
    assertFalse(ended(server));
    pass(server, 2);
    assertTrue(ended(server));
    server.close();
  }

  @Test
  void peerThatDoesNotAcknowledgeIsDisconnectedAlthoughItSendsRequests() {
    EmbeddedChannel server = server(Http2Settings.DEFAULT);
    send(server, Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    for (int i = 0; i < 12; i++) {
      send(server, request(2 * i + 1));
      exchanges.getLast().respond(HttpResponse.text("a"));
      pass(server, 1);
    }
    assertTrue(ended(server));
    server.close();
  }

  @Test
  void idleConnectionIsClosedAlthoughPingsArrive() {
    EmbeddedChannel server = server(Http2Settings.DEFAULT);
    send(server, Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    send(server, Frame.of(Frames.SETTINGS, 1, 0), request(1));
    exchanges.getLast().respond(HttpResponse.text("a"));
    int seconds = 0;
    while (!ended(server) && seconds < 100) {
      send(server, Frame.of(Frames.PING, 0, 0, new byte[8]));
      pass(server, 1);
      seconds++;
    }
    assertEquals(75, seconds, 1);
    server.close();
  }

  @Test
  void headerBlockThatDoesNotEndDoesNotKeepTheConnection() {
    EmbeddedChannel server = server(Http2Settings.DEFAULT);
    send(server, Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    send(server, Frame.of(Frames.SETTINGS, 1, 0), Frame.of(Frames.HEADERS, 0, 1, "82"));
    pass(server, 80);
    assertTrue(ended(server));
    server.close();
  }

  @Test
  void oldConnectionDrainsAndEndsWithItsLastExchange() {
    Http2Settings.Timeouts t = Http2Settings.Timeouts.DEFAULT;
    EmbeddedChannel server =
        server(
            Http2Settings.DEFAULT.withTimeouts(
                new Http2Settings.Timeouts(
                    t.head(),
                    t.keepAlive(),
                    t.pingInterval(),
                    t.pingTimeout(),
                    Duration.ofSeconds(20))));
    send(server, Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    send(server, Frame.of(Frames.SETTINGS, 1, 0), request(1));
    pass(server, 25);
    assertFalse(ended(server));
    exchanges.getLast().respond(HttpResponse.text("a"));
    server.runTasks();
    assertTrue(ended(server));
    server.close();
  }

  @Test
  void unacknowledgedPingEndsTheConnection() {
    Http2Settings.Timeouts t = Http2Settings.Timeouts.DEFAULT;
    EmbeddedChannel server =
        server(
            Http2Settings.DEFAULT.withTimeouts(
                new Http2Settings.Timeouts(
                    t.head(),
                    t.keepAlive(),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ZERO)));
    send(server, Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    send(server, Frame.of(Frames.SETTINGS, 1, 0), request(1));
    pass(server, 9);
    assertFalse(ended(server));
    pass(server, 3);
    assertTrue(server.isClosed());
    server.close();
  }
}
