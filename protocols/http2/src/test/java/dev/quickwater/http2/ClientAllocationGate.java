package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.Authority;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The bytes of Java heap that one request of a client costs: its head, its exchange, and a
/// response of 13 bytes that is read to its end. Sixteen responses arrive in a read, and each
/// causes the next request.
///
/// It runs in a separate JVM with C1 alone and without leak tracking. Its name excludes it from the
/// usual test run.
final class ClientAllocationGate {

  private static final int MAX_REQUEST = 1_100;
  private static final int DEPTH = 16;
  private static final int BATCHES = 1_000;
  private static final int WARM_UP_ROUNDS = 5;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final Authority AUTHORITY = new Authority("127.0.0.1", 8080);

  private final EmbeddedChannel host = new EmbeddedChannel();
  private final SinkIo io = new SinkIo();
  private final Http2ClientHandler client = new Http2ClientHandler(Http2Settings.DEFAULT, 100);
  private final HpackEncoder encoder = new HpackEncoder(4096);
  private int stream = 1;
  private int completed;

  /// One request after the other.
  private final class Call implements BodyReader, Consumer<ResponseHead> {

    private final Consumer<Future<ClientExchange>> opened = this::opened;
    private ClientExchange exchange;

    Call() {
      next();
    }

    private void next() {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, "/plaintext")
              .authority(AUTHORITY)
              .add(HeaderName.USER_AGENT, "load/1.0")
              .add(HeaderName.ACCEPT, "*/*")
              .build();
      Future<ClientExchange> _ = client.connection().open(head).onComplete(opened);
    }

    private void opened(Future<ClientExchange> future) {
      exchange = future.value();
      exchange.onResponse(this);
    }

    @Override
    public void accept(ResponseHead head) {
      exchange.responseBody().read(this);
    }

    @Override
    public void data(ByteBuf bytes) {
      bytes.release();
      exchange.responseBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
      completed++;
      next();
    }
  }

  /// The bytes of the next responses.
  private byte[] responses() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < DEPTH; i++) {
      byte[] block =
          Blocks.encode(
              encoder,
              List.of(
                  ":status: 200",
                  "server: nghttpd",
                  "cache-control: max-age=3600",
                  "content-length: 13"));
      frames.add(Frame.of(Frames.HEADERS, Frames.END_HEADERS, stream, block));
      frames.add(Frame.of(Frames.DATA, Frames.END_STREAM, stream, new byte[13]));
      stream += 2;
    }
    return Frame.join(frames.toArray(byte[][]::new));
  }

  private void deliver(byte[] bytes) {
    io.events().received(host.loop().allocator().allocate(bytes.length).writeBytes(bytes));
    io.events().readTurnEnded();
    while (host.loop().step() > 0) {
      // the requests of a turn
    }
  }

  @Test
  void request() throws Exception {
    Channel channel =
        Channel.open(
            host.loop(),
            io,
            ChannelSettings.DEFAULT.withHalfClose(true),
            made -> made.pipeline().addLast(client));
    deliver(Frame.join(Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, Frames.ACK, 0)));
    for (int i = 0; i < DEPTH; i++) {
      var _ = new Call();
    }
    double least = Double.MAX_VALUE;
    for (int round = 0; round < WARM_UP_ROUNDS + 3; round++) {
      byte[][] batches = new byte[BATCHES][];
      for (int i = 0; i < BATCHES; i++) {
        batches[i] = responses();
      }
      completed = 0;
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (byte[] batch : batches) {
        deliver(batch);
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertEquals(BATCHES * DEPTH, completed);
      if (round >= WARM_UP_ROUNDS) {
        least = Math.min(least, (double) allocated / (BATCHES * DEPTH));
      }
    }
    channel.close();
    host.close();
    Gates.check("clientRequest", MAX_REQUEST, least);
  }
}
