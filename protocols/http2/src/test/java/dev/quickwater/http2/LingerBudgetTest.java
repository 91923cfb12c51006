package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http2.BudgetSettings.Linger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A server reads enough after GOAWAY for an uploading client to receive the frame, and little from
/// a peer that floods.
final class LingerBudgetTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private static final int WINDOW = WindowSettings.DEFAULT.connection();
  private static final int PIECE = 64 << 10;

  private final BudgetTrips trips = new BudgetTrips();
  private final EmbeddedChannel server =
      new EmbeddedChannel(
          ChannelSettings.DEFAULT.withHalfClose(true),
          channel ->
              channel
                  .pipeline()
                  .addLast(new Http2ServerHandler(Http2Settings.DEFAULT, _ -> {}, trips)));

  @AfterEach
  void close() {
    server.close();
  }

  private void send(byte[]... frames) {
    server.send(ByteBuf.wrap(Frame.join(frames)));
  }

  private void start() {
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
  }

  /// As many SETTINGS frames as exceed the budget.
  private void exceedBudget() {
    byte[] settings = Frame.of(Frames.SETTINGS, 0, 0);
    while (trips.counts().isEmpty()) {
      send(settings);
    }
  }

  @Test
  void floodAfterGoAwayIsReadUpToTheLimit() {
    start();
    exceedBudget();
    assertTrue(server.isOutputEnded());
    long read = 0;
    while (!server.isClosed() && read < 64 << 20) {
      send(new byte[PIECE]);
      read += PIECE;
    }
    assertTrue(read <= WINDOW + Linger.DEFAULT.bytes() + PIECE, "bytes: " + read);
    assertEquals(Map.of("frames.settings", 1L, "linger.bytes", 1L), trips.counts());
  }

  @Test
  void uploadWithinItsWindowIsReadToItsEnd() {
    start();
    byte[] block =
        Blocks.encode(
            new HpackEncoder(0),
            List.of(":method: POST", ":scheme: http", ":path: /", ":authority: server.test"));
    send(Frame.of(Frames.HEADERS, Frames.END_HEADERS, 1, block));
    exceedBudget();
    byte[] message = Frame.of(Frames.DATA, 0, 1, new byte[9]);
    for (int sent = 9; sent <= WINDOW; sent += 9) {
      send(message);
      assertFalse(server.isClosed(), "closed after " + sent);
    }
    server.endInput();
    assertTrue(server.isClosed());
    assertEquals(Map.of("frames.settings", 1L), trips.counts());
  }

  @Test
  void peerThatDoesNotReadGoAwayIsReadUpToTheLimitAndDisconnectedInTime() {
    start();
    server.takeSent().release();
    server.setWindow(0);
    exceedBudget();
    for (int i = 0; i < (WINDOW + Linger.DEFAULT.bytes()) / PIECE; i++) {
      send(new byte[PIECE]);
      assertTrue(server.isReading(), "piece " + i);
    }
    send(new byte[PIECE]);
    assertFalse(server.isReading());
    server.advance(Linger.DEFAULT.timeout().minusMillis(1));
    assertFalse(server.isClosed());
    server.setWindow(1); // some progress
    server.advance(Duration.ofMillis(1));
    assertTrue(server.isClosed());
    assertEquals(Map.of("frames.settings", 1L, "linger.timeout", 1L), trips.counts());
  }

  @Test
  void peerThatDoesNotCloseIsDisconnectedInTime() {
    start();
    exceedBudget();
    server.advance(Linger.DEFAULT.timeout().minusMillis(1));
    assertFalse(server.isClosed());
    server.advance(Duration.ofMillis(1));
    assertTrue(server.isClosed());
    assertEquals(Map.of("frames.settings", 1L), trips.counts());
  }

  @Test
  void settingsAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> new Linger(-1, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> new Linger(0, Duration.ofNanos(-1)));
  }
}
