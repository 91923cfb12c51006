package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// First reads that decide the version and end the connection.
final class VersionDetectorTest {

  private static final java.util.logging.Logger QUIET =
      java.util.logging.Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(java.util.logging.Level.OFF);
  }

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        PREFACE + "GET / HTTP/1.1\r\n\r\n",
        PREFACE + "\0\0\0\1\0\0\0\0\1",
        "GET / HTTP/9.9\r\n\r\n",
        "\0\0\0\0",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nXM\r\n\r\n",
        "PRI * HTTP/2.0\r\n"
      })
  void maySplitAnywhere(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int split = 0; split < bytes.length; split++) {
      Connections connections =
          new Connections(
              HttpServerSettings.DEFAULT, x -> x.respond(HttpResponse.text("answer")), null, null);
      EmbeddedChannel server =
          new EmbeddedChannel(ChannelSettings.DEFAULT.withHalfClose(true), connections)
              .keepUnhandled();
      if (split > 0) {
        server.send(ByteBuf.wrap(bytes, 0, split));
      }
      server.send(ByteBuf.wrap(bytes, split, bytes.length - split));
      server.endInput();
      server.runTasks();
      assertNull(server.takeUnhandled(), "split at " + split);
      server.takeSent().release();
      assertTrue(server.isOutputEnded() || server.isClosed(), "split at " + split);
      server.close();
      assertEquals(0, connections.count());
    }
  }

  /// What began to send a head has the time of a head.
  @ParameterizedTest
  @ValueSource(strings = {"P", "PRI * HTTP/2.0\r\n\r\nSM", "GET / H"})
  void incompleteBeginningHasADeadline(String text) {
    Connections connections =
        new Connections(
            HttpServerSettings.DEFAULT, x -> x.respond(HttpResponse.text("answer")), null, null);
    EmbeddedChannel server =
        new EmbeddedChannel(ChannelSettings.DEFAULT.withHalfClose(true), connections);
    server.send(ByteBuf.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    int seconds = 0;
    while (!server.isOutputEnded() && !server.isClosed() && seconds < 100) {
      server.advance(Duration.ofSeconds(1));
      seconds++;
    }
    server.close();
    assertTrue(seconds <= 11, "after " + seconds + " s");
  }
}
