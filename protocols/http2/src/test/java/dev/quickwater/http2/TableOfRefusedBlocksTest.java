package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The compression table follows the header blocks of refused, malformed and ignored messages (RFC
/// 9113 section 4.3), so that a later request can refer to their fields.
final class TableOfRefusedBlocksTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private static final String[] HEAD = {
    ":method: GET", ":scheme: http", ":path: /", ":authority: server.test"
  };

  private final List<HttpExchange> exchanges = new ArrayList<>();
  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final EmbeddedChannel server =
      new EmbeddedChannel(
          ChannelSettings.DEFAULT.withHalfClose(true),
          channel ->
              channel
                  .pipeline()
                  .addLast(
                      new Http2ServerHandler(
                          Http2Settings.DEFAULT.withStreams(
                              new Http2Settings.StreamLimits(3, 2048, 10, 0, 4096)),
                          exchanges::add)));

  TableOfRefusedBlocksTest() {
    server.send(
        ByteBuf.wrap(
            Frame.join(
                Http2Engine.PREFACE,
                Frame.of(Frames.SETTINGS, 0, 0),
                Frame.of(Frames.SETTINGS, 1, 0))));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void send(int flags, int stream, byte[] before, String... fields) {
    byte[] block = Blocks.encode(encoder, List.of(fields));
    byte[] all = new byte[before.length + block.length];
    System.arraycopy(before, 0, all, 0, before.length);
    System.arraycopy(block, 0, all, before.length, block.length);
    server.send(ByteBuf.wrap(Frame.of(Frames.HEADERS, Frames.END_HEADERS | flags, stream, all)));
  }

  private void send(int flags, int stream, String... more) {
    String[] all = java.util.Arrays.copyOf(HEAD, HEAD.length + more.length);
    System.arraycopy(more, 0, all, HEAD.length, more.length);
    send(flags, stream, new byte[0], all);
  }

  private static String field(int number) {
    return "x-" + number + ": value-" + number;
  }

  @Test
  void laterRequestsAreUnderstood() throws Exception {
    int end = Frames.END_STREAM;
    send(0, 1, field(1));
    send(end, 1, new byte[0], ":path: /", field(2)); // trailers with a pseudo-header field
    send(end, 1, new byte[0], field(3)); // a stream that was reset
    send(end, 3, new byte[0], ":method: GET", field(4)); // no path
    send(end | Frames.PRIORITY_FLAG, 5, new byte[] {0, 0, 0, 5, 1}, field(5)); // of itself
    send(end, 7, "x-long: " + "a".repeat(2100)); // 431
    send(end, 9);
    send(end, 11);
    send(end, 13);
    send(end, 15, field(6)); // above maxStreams
    exchanges.getLast().respond(dev.quickwater.http.HttpResponse.text("a"));
    send(end, 17, field(1), field(2), field(3), field(4), field(5), field(6));
    HttpExchange last = exchanges.getLast();
    for (int i = 1; i <= 6; i++) {
      assertEquals("value-" + i, last.request().headers().get("x-" + i));
    }
    assertTrue(!server.isOutputEnded());
    assertEquals(5, exchanges.size());
  }
}
