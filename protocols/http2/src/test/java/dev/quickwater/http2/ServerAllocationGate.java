package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// The bytes of Java heap that one plaintext request of HTTP/2 costs, from the handle of the
/// receive buffer to the last byte that the kernel receives, and the bytes to open a stream. The
/// limits are in `allocation.gate`: five per cent less fails as well, to keep the numbers honest.
///
/// It runs in a separate JVM with C1 alone and without leak tracking. Its name excludes it from the
/// usual test run.
final class ServerAllocationGate {

  private static final int MAX_REQUEST = 500;
  private static final int MAX_STREAM = 250;
  private static final int REQUESTS = 50_000;
  private static final int WARM_UP_ROUNDS = 5;
  private static final int STREAMS = 100;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final HttpResponse HELLO =
      HttpResponse.of(
          HttpStatus.OK,
          HttpHeaders.of("content-type", "text/plain", "server", "quickwater"),
          "Hello, World!".getBytes(StandardCharsets.US_ASCII));

  /// Answers like `qw serve`: compares the target, and sends a constant response.
  private static final HttpHandler PLAINTEXT =
      x -> {
        if (x.request().target().hasPath("/plaintext")) {
          x.respond(HELLO);
        } else {
          x.respond(HttpResponse.text(HttpStatus.NOT_FOUND, "no such resource\n"));
        }
      };

  /// Header blocks of a connection: the first one fills the table, the others are equal or have a
  /// different path each.
  private enum Heads {
    EQUAL,
    PATHS;

    void write(HpackEncoder encoder, ByteBuf out, int number) {
      String path = this == EQUAL ? "/plaintext" : "/plaintext?q=" + (char) ('a' + number % 26);
      int start = FrameWriter.beginHeaders(out);
      encoder.begin(out);
      encoder.pseudo(out, FieldName.Pseudo.METHOD, Blocks.bytes("GET"));
      encoder.pseudo(out, FieldName.Pseudo.SCHEME, Blocks.bytes("http"));
      encoder.pseudo(out, FieldName.Pseudo.PATH, Blocks.bytes(path));
      encoder.pseudo(out, FieldName.Pseudo.AUTHORITY, Blocks.bytes("127.0.0.1:8080"));
      FrameWriter.endHeaders(out, start, 2 * number + 1, Frames.MIN_MAX_SIZE, true);
    }
  }

  private static final class Connection implements AutoCloseable {
    final EmbeddedChannel host = new EmbeddedChannel();
    final SinkIo io = new SinkIo();
    final HpackEncoder encoder = new HpackEncoder(4096);
    final ByteBuf out = host.loop().allocator().allocate(64 << 10);
    final Channel channel;
    int next;

    Connection(HttpHandler handler) throws Exception {
      channel =
          Channel.open(
              host.loop(),
              io,
              ChannelSettings.DEFAULT.withHalfClose(true),
              c -> c.pipeline().addLast(new Http2ServerHandler(Http2Settings.DEFAULT, handler)));
      out.writeBytes(Http2Engine.PREFACE);
      FrameWriter.settings(out, PeerSettings.INITIAL_WINDOW_SIZE, 1 << 30);
      FrameWriter.settingsAck(out);
      FrameWriter.windowUpdate(out, 0, 1 << 30);
      deliver(out.readBytes(out.readableBytes()));
    }

    byte[] requests(Heads heads, int count) {
      out.clear();
      for (int i = 0; i < count; i++) {
        heads.write(encoder, out, next++);
      }
      return out.readBytes(out.readableBytes());
    }

    void deliver(byte[] bytes) {
      io.events().received(host.loop().allocator().allocate(bytes.length).writeBytes(bytes));
      io.events().readTurnEnded();
      while (host.loop().step() > 0) {
        // requests that a turn has left
      }
    }

    @Override
    public void close() {
      out.release();
      channel.close();
      host.close();
    }
  }

  @Test
  void equalRequests() throws Exception {
    Gates.check("requestEqual", MAX_REQUEST, request(Heads.EQUAL, 16));
  }

  @Test
  void oneRequestARead() throws Exception {
    Gates.check("requestAlone", MAX_REQUEST, request(Heads.EQUAL, 1));
  }

  @Test
  void otherPaths() throws Exception {
    Gates.check("requestPaths", MAX_REQUEST, request(Heads.PATHS, 16));
  }

  @Test
  void openStream() throws Exception {
    Gates.check("stream", MAX_STREAM, stream(Heads.EQUAL));
  }

  @Test
  void openStreamWithAnotherPath() throws Exception {
    Gates.check("streamPaths", MAX_REQUEST, stream(Heads.PATHS));
  }

  private static double request(Heads heads, int depth) throws Exception {
    try (Connection connection = new Connection(PLAINTEXT)) {
      double least = Double.MAX_VALUE;
      for (int round = 0; round < WARM_UP_ROUNDS + 3; round++) {
        byte[][] batches = new byte[REQUESTS / depth / 5][];
        for (int i = 0; i < batches.length; i++) {
          batches[i] = connection.requests(heads, depth);
        }
        long sent = connection.io.sent;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (byte[] batch : batches) {
          connection.deliver(batch);
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(connection.io.sent > sent, "nothing was answered");
        if (round >= WARM_UP_ROUNDS) {
          least = Math.min(least, (double) allocated / (batches.length * depth));
        }
      }
      return least;
    }
  }

  /// The bytes that opening a stream allocates after the tables of the connection have their final
  /// size.
  private static double stream(Heads heads) throws Exception {
    double least = Double.MAX_VALUE;
    for (int round = 0; round < WARM_UP_ROUNDS + 3; round++) {
      int[] begun = new int[1];
      HttpHandler answersFirst =
          x -> {
            if (++begun[0] <= STREAMS) {
              x.respond(HELLO);
            }
          };
      try (Connection connection = new Connection(answersFirst)) {
        connection.deliver(connection.requests(heads, STREAMS));
        byte[] batch = connection.requests(heads, STREAMS / 2);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        connection.deliver(batch);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertEquals(STREAMS + STREAMS / 2, begun[0]);
        least = Math.min(least, (double) allocated / (STREAMS / 2));
      }
    }
    return least;
  }
}
