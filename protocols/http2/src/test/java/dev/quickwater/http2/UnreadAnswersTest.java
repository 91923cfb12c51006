package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A peer that does not read causes answers of the engine without a call of the handler. Their
/// number is bounded, although each one is only a reset or a small response.
final class UnreadAnswersTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private static final int SECONDS = 600;
  private static final int PER_SECOND = 240;

  private static final HttpHandler SILENT = _ -> {};

  private final EmbeddedChannel server =
      new EmbeddedChannel(
          ChannelSettings.DEFAULT.withHalfClose(true),
          channel ->
              channel.pipeline().addLast(new Http2ServerHandler(Http2Settings.DEFAULT, SILENT)));
  private final HpackEncoder encoder = new HpackEncoder(0);

  @AfterEach
  void close() {
    server.close();
  }

  private byte[] request(int stream, String... fields) {
    byte[] block = Blocks.encode(encoder, List.of(fields));
    return Frame.of(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, stream, block);
  }

  private byte[] request(int stream) {
    return request(stream, ":method: GET", ":scheme: http", ":path: /", ":authority: server.test");
  }

  /// The frames that the peer repeats.
  private enum Kind {
    MALFORMED_REQUEST,
    REFUSED_REQUEST,
    TOO_LARGE_REQUEST,
    PRIORITY_OF_WRONG_LENGTH,
    WINDOW_OF_ZERO_WITHOUT_A_STREAM,
    WINDOW_OF_ZERO_BEFORE_THE_HANDLER
  }

  private byte[] frame(Kind kind, int stream) {
    return switch (kind) {
      case MALFORMED_REQUEST -> request(stream, ":method: GET");
      case REFUSED_REQUEST -> request(stream);
      case TOO_LARGE_REQUEST ->
          Frame.of(
              Frames.HEADERS,
              Frames.END_HEADERS | Frames.END_STREAM,
              stream,
              "be".repeat(20)); // the entry below, 20 times
      case PRIORITY_OF_WRONG_LENGTH -> Frame.of(Frames.PRIORITY, 0, 1, "00");
      case WINDOW_OF_ZERO_WITHOUT_A_STREAM -> Frame.of(Frames.WINDOW_UPDATE, 0, 201, "00000000");
      case WINDOW_OF_ZERO_BEFORE_THE_HANDLER ->
          Frame.join(request(stream), Frame.of(Frames.WINDOW_UPDATE, 0, stream, "00000000"));
    };
  }

  @ParameterizedTest
  @EnumSource
  void areBounded(Kind kind) {
    server.setWindow(0);
    server.send(
        ByteBuf.wrap(
            Frame.join(
                Http2Engine.PREFACE,
                Frame.of(Frames.SETTINGS, 0, 0),
                Frame.of(Frames.SETTINGS, 1, 0))));
    int stream = 1;
    if (kind == Kind.REFUSED_REQUEST) {
      for (int i = 0; i < 100; i++) {
        server.send(ByteBuf.wrap(request(stream)));
        stream += 2;
      }
    }
    if (kind == Kind.TOO_LARGE_REQUEST) {
      byte[] block = new byte[3 + 3 + 3000];
      System.arraycopy(Blocks.hex("400178 7fb916"), 0, block, 0, 6); // x: 3000 bytes
      Arrays.fill(block, 6, block.length, (byte) 'a');
      server.send(ByteBuf.wrap(Frame.of(Frames.HEADERS, Frames.END_HEADERS, stream, block)));
      stream += 2;
    }
    long maxPending = 0;
    int sent = 0;
    for (int second = 0; second < SECONDS && !ended(); second++) {
      for (int i = 0; i < PER_SECOND && !ended(); i++) {
        server.send(ByteBuf.wrap(frame(kind, stream)));
        stream += 2;
        sent++;
        maxPending = Math.max(maxPending, server.channel().pendingBytes());
      }
      if (kind == Kind.WINDOW_OF_ZERO_BEFORE_THE_HANDLER) { // too many in a second are no news
        server.setWindow(1); // a channel that sends nothing for long is closed
        server.advance(Duration.ofSeconds(1));
      }
    }
    assertTrue(maxPending < 1 << 20, maxPending + " bytes for " + sent);
  }

  private boolean ended() {
    return server.isClosed() || server.isOutputEnded();
  }
}
