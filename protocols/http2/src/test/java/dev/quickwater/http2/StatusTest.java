package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http2.Http2Status.Phase;
import dev.quickwater.http2.Http2Status.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What an operator can read of a running connection.
final class StatusTest {

  private static final long UNLIMITED = 0xffff_ffffL;
  private static final Values PROTOCOL_DEFAULT =
      new Values(UNLIMITED, 65_535, 16_384, 4096, UNLIMITED, true, false);

  private static final Logger LOGGER = Logger.getLogger(Http2Engine.class.getName());

  private final List<HttpExchange> exchanges = new ArrayList<>();
  private final BudgetTrips trips = new BudgetTrips();
  private final Http2ServerHandler handler =
      new Http2ServerHandler(
          Http2Settings.DEFAULT.withBudgets(BudgetSettings.DEFAULT.withHeldFields(500)),
          exchanges::add,
          trips);
  private final EmbeddedChannel server =
      new EmbeddedChannel(
          ChannelSettings.DEFAULT.withHalfClose(true),
          channel -> channel.pipeline().addLast(handler));
  private final HpackEncoder encoder = new HpackEncoder(0);
  private final List<String> lines = new ArrayList<>();
  private final Handler log =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          lines.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.setLevel(Level.INFO);
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(log);
  }

  @AfterEach
  void close() {
    server.close();
    LOGGER.removeHandler(log);
    LOGGER.setUseParentHandlers(true);
    LOGGER.setLevel(null);
  }

  private void send(byte[]... frames) {
    server.send(ByteBuf.wrap(Frame.join(frames)));
  }

  private byte[] request(int stream) {
    byte[] block =
        Blocks.encode(
            encoder,
            List.of(":method: GET", ":scheme: http", ":path: /", ":authority: server.test"));
    return Frame.of(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, stream, block);
  }

  private Http2Status status() {
    return StatusReader.of(handler.engine());
  }

  @Test
  void settingsOfThePeerApplyWhenTheyArrive() {
    send(Http2Engine.PREFACE);
    assertEquals(Phase.NOTHING_RECEIVED, status().phase());
    assertEquals(PROTOCOL_DEFAULT, status().received());
    send(Frame.of(Frames.SETTINGS, 0, 0, "0003 00000007  0004 00020000  0002 00000000"));
    assertEquals(Phase.UNACKNOWLEDGED, status().phase());
    assertEquals(
        new Values(7, 131_072, 16_384, 4096, UNLIMITED, false, false), status().received());
    send(Frame.of(Frames.SETTINGS, Frames.ACK, 0));
    assertEquals(Phase.ACKNOWLEDGED, status().phase());
  }

  @Test
  void settingsOfThisSideAreThoseOnTheWire() throws Exception {
    assertEquals(new Values(100, 65_535, 16_384, 4096, 32_768, false, true), status().sent());
    List<String> sent = new ArrayList<>();
    FrameReader reader = new FrameReader(new FrameNotes(sent::add), 1 << 14, 1 << 16, 16);
    ByteBuf bytes = server.takeSent();
    while (reader.read(bytes)) {
      // one frame each
    }
    bytes.release();
    assertTrue(
        sent.containsAll(
            List.of("setting 3 100", "setting 4 65535", "setting 6 32768", "setting 8 1")),
        sent.toString());
  }

  @Test
  void exchangeHasTheStatusOfItsConnectionAtOnceOnTheLoop() {
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0), request(1), request(3));
    Http2Connection connection = (Http2Connection) exchanges.getFirst().connection();
    assertEquals(2, connection.status().value().streams());
  }

  @Test
  void exceededBudgetIsCountedAndLoggedWithThePeer() {
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    assertEquals(new Http2Status.Trips(0, null), status().trips());
    for (int i = 0; i < 1_001; i++) {
      send(Frame.of(Frames.PING, 0, 0, new byte[8]));
    }
    assertEquals(new Http2Status.Trips(1, "frames.ping"), status().trips());
    assertEquals(Map.of("frames.ping", 1L), trips.counts());
    assertEquals(1, lines.size(), lines.toString());
    String line = lines.getFirst();
    assertTrue(line.startsWith("INFO " + server.channel().remoteAddress()), line);
    assertTrue(line.endsWith("limited by frames.ping"), line);
  }

  @Test
  void refusedStreamsAreLoggedWheneverTheirNumberHasDoubled() {
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    for (int stream = 1; stream < 40; stream += 2) {
      send(request(stream));
    }
    long refused = 20 - exchanges.size();
    assertTrue(refused >= 16, "refused: " + refused);
    assertEquals(new Http2Status.Trips(refused, "heldFields"), status().trips());
    assertEquals(Map.of("heldFields", refused), trips.counts());
    assertEquals(5, lines.size(), lines.toString());
    assertTrue(lines.stream().allMatch(line -> line.contains("heldFields")), lines.toString());
  }

  @Test
  void limitOfAnotherKindNamesNoBudget() {
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0));
    for (int stream = 1; stream < 10; stream += 2) {
      send(request(stream));
    }
    lines.clear();
    byte[][] block = new byte[18][];
    block[0] = Frame.of(Frames.HEADERS, 0, 101, "82");
    for (int i = 1; i < block.length; i++) {
      block[i] = Frame.of(Frames.CONTINUATION, 0, 101, "82");
    }
    send(block);
    assertEquals(1, lines.size());
    assertTrue(lines.getFirst().contains("ENHANCE_YOUR_CALM"), lines.toString());
    assertFalse(lines.getFirst().contains("limited by"), lines.toString());
  }
}
