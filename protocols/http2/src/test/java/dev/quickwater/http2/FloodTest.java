package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Floods against a whole server: the connection ends with ENHANCE_YOUR_CALM within the budget,
/// whether the peer reads or not, and few requests reach the handler.
final class FloodTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private static final int FRAMES = 100_000;

  private final HpackEncoder encoder = new HpackEncoder(0);
  private HttpHandler handler = x -> x.respond(HttpResponse.text(HttpStatus.OK, "hello"));
  private int handled;
  private final EmbeddedChannel server =
      new EmbeddedChannel(
          ChannelSettings.DEFAULT.withHalfClose(true),
          channel ->
              channel
                  .pipeline()
                  .addLast(new Http2ServerHandler(Http2Settings.DEFAULT, this::count)));

  private void count(HttpExchange exchange) throws Exception {
    handled++;
    handler.handle(exchange);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void start() {
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
  }

  private void send(byte[]... frames) {
    server.send(ByteBuf.wrap(Frame.join(frames)));
  }

  private byte[] request(int stream, boolean end) {
    byte[] block =
        Blocks.encode(
            encoder,
            List.of(":method: GET", ":scheme: http", ":path: /", ":authority: server.test"));
    int flags = end ? Frames.END_HEADERS | Frames.END_STREAM : Frames.END_HEADERS;
    return Frame.of(Frames.HEADERS, flags, stream, block);
  }

  private static byte[] reset(int stream) {
    return Frame.of(Frames.RST_STREAM, 0, stream, "00000008");
  }

  /// The frames that the server has sent.
  private List<String> answers() throws Http2Exception {
    List<String> lines = new ArrayList<>();
    ByteBuf sent = server.takeSent();
    FrameReader reader = new FrameReader(new FrameNotes(lines::add), 1 << 14, 1 << 16, 16);
    while (reader.read(sent)) {
      // one frame each
    }
    sent.release();
    return lines;
  }

  /// The payload is hexadecimal.
  private enum Kind {
    PING(Frames.PING, 0, 0, "00000000 00000000"),
    SETTINGS(Frames.SETTINGS, 0, 0, ""),
    SETTINGS_ACK(Frames.SETTINGS, Frames.ACK, 0, ""),
    EMPTY_DATA(Frames.DATA, 0, 1, ""),
    PADDED_EMPTY_DATA(Frames.DATA, Frames.PADDED, 1, "01 00"),
    WINDOW_UPDATE(Frames.WINDOW_UPDATE, 0, 0, "00000001"),
    PRIORITY(Frames.PRIORITY, 0, 7, "00000000 10"),
    PRIORITY_UPDATE(Frames.PRIORITY_UPDATE, 0, 0, "00000001 753d31"),
    UNKNOWN(0x77, 0, 0, "");

    private final int type;
    private final int flags;
    private final int stream;
    private final String payload;

    Kind(int type, int flags, int stream, String payload) {
      this.type = type;
      this.flags = flags;
      this.stream = stream;
      this.payload = payload;
    }

    byte[] frame() {
      return Frame.of(type, flags, stream, payload);
    }
  }

  @ParameterizedTest
  @EnumSource
  void peerThatReadsIsDisconnected(Kind kind) throws Exception {
    start();
    handler = _ -> {}; // the exchange stays open
    send(request(1, false));
    int sent = 0;
    while (sent < FRAMES && !server.isOutputEnded()) {
      send(kind.frame());
      sent++;
    }
    assertTrue(sent <= 1_001, "after " + sent); // the maximum of every budget
    String last = answers().getLast();
    assertTrue(last.startsWith("goaway 1 ENHANCE_YOUR_CALM"), last);
  }

  @ParameterizedTest
  @EnumSource
  void peerThatDoesNotReadIsDisconnected(Kind kind) throws Exception {
    server.setWindow(0);
    start();
    handler = _ -> {};
    send(request(1, false));
    byte[] frame = kind.frame();
    long maxPending = 0;
    for (int i = 0; i < FRAMES; i++) {
      send(frame);
      maxPending = Math.max(maxPending, server.channel().pendingBytes());
    }
    assertTrue(maxPending < 64 << 10, "unsent bytes: " + maxPending);
    server.setWindow(Long.MAX_VALUE);
    List<String> answers = answers();
    assertTrue(answers.size() < 1_100, "frames: " + answers.size());
    assertTrue(answers.getLast().startsWith("goaway 1 ENHANCE_YOUR_CALM"), answers.getLast());
  }

  // ---- CVE-2023-44487 ----

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void rapidReset(int pairs) throws Exception {
    start();
    int stream = 1;
    for (int i = 0; i < FRAMES / pairs && !server.isOutputEnded(); i++) {
      byte[][] frames = new byte[2 * pairs][];
      for (int n = 0; n < pairs; n++) {
        frames[2 * n] = request(stream, true);
        frames[2 * n + 1] = reset(stream);
        stream += 2;
      }
      send(frames);
    }
    assertEquals(0, handled, "requests that were reset in the same batch");
    assertTrue(stream / 2 <= 20 + pairs, "streams: " + stream / 2);
    assertTrue(answers().getLast().contains("ENHANCE_YOUR_CALM"));
  }

  /// The reset arrives after the handler has started.
  @Test
  void rapidResetOfStartedRequests() throws Exception {
    handler = _ -> {};
    start();
    int stream = 1;
    while (!server.isOutputEnded() && stream < FRAMES) {
      send(request(stream, true));
      send(reset(stream));
      stream += 2;
    }
    assertTrue(handled <= 501, "handled: " + handled);
    assertTrue(answers().getLast().contains("ENHANCE_YOUR_CALM"));
  }

  // ---- CVE-2025-8671 ----

  @Test
  void madeYouReset() throws Exception {
    handler = _ -> {};
    start();
    int stream = 1;
    while (!server.isOutputEnded() && stream < FRAMES) {
      send(request(stream, true));
      send(Frame.of(Frames.WINDOW_UPDATE, 0, stream, "00000000"));
      stream += 2;
    }
    assertTrue(handled <= 501, "handled: " + handled);
    assertTrue(answers().getLast().contains("ENHANCE_YOUR_CALM"));
  }

  // ---- what is no flood ----

  /// A download that always fills the connection, while the peer measures its bandwidth by PING:
  /// some bytes are always unsent, and no acknowledgement waits for long.
  @Test
  void pingsDuringASaturatedDownloadAreAcknowledged() throws Exception {
    byte[] block = new byte[16_384];
    handler =
        x -> {
          OutgoingBody body = x.respond(ResponseHead.of(HttpStatus.OK, HttpHeaders.EMPTY));
          body.onWritable(
              new Runnable() {
                @Override
                public void run() {
                  while (body.isWritable()) {
                    body.write(ByteBuf.wrap(block));
                  }
                  body.flush();
                  body.onWritable(this);
                }
              });
        };
    start();
    send(request(1, true));
    server.setWindow(10_000);
    byte[] window =
        Frame.join(
            Frame.of(Frames.WINDOW_UPDATE, 0, 0, "00010000"),
            Frame.of(Frames.WINDOW_UPDATE, 0, 1, "00010000"),
            Frame.of(Frames.PING, 0, 0, new byte[8]));
    for (int i = 0; i < 5_000; i++) {
      send(window);
      assertTrue(server.channel().pendingBytes() > 0);
      server.setWindow(server.channel().pendingBytes() - 1);
      server.takeSent().release();
      assertFalse(server.isOutputEnded(), "ended after " + i + " pings");
      assertFalse(server.isClosed(), "closed after " + i + " pings");
    }
  }

  /// One read has more PING frames than `unwrittenAcks`, but fewer than its content allows.
  @Test
  void pingsBetweenContentInOneReadAreAcknowledged() throws Exception {
    handler = _ -> {};
    start();
    send(request(1, false));
    byte[] content = Frame.of(Frames.DATA, 0, 1, new byte[1]);
    byte[] ping = Frame.of(Frames.PING, 0, 0, new byte[8]);
    byte[][] frames = new byte[3_000][];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = i % 10 == 0 ? content : ping;
    }
    send(frames);
    assertFalse(server.isOutputEnded());
    assertEquals(2_700, answers().stream().filter(line -> line.startsWith("ping ack")).count());
  }

  /// Whole responses: the peer announces credit for the stream and the connection after every DATA
  /// frame.
  @Test
  void windowUpdatesForWholeResponsesAreNoFlood() throws Exception {
    int size = 1 << 20;
    HttpResponse whole = HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, new byte[size]);
    handler = x -> x.respond(whole);
    start();
    send(Frame.of(Frames.SETTINGS, 0, 0, "0004 7fffffff"));
    send(Frame.of(Frames.WINDOW_UPDATE, 0, 0, "7f000000"));
    int frames = size / Frames.MIN_MAX_SIZE;
    byte[][] updates = new byte[frames][];
    for (int stream = 1; stream < 200; stream += 2) {
      send(request(stream, true));
      server.takeSent().release();
      for (int i = 0; i < frames; i++) {
        updates[i] =
            Frame.join(
                Frame.of(Frames.WINDOW_UPDATE, 0, 0, "00004000"),
                Frame.of(Frames.WINDOW_UPDATE, 0, stream, "00004000"));
      }
      send(updates);
      assertFalse(server.isOutputEnded(), "ended after stream " + stream);
    }
  }
}
