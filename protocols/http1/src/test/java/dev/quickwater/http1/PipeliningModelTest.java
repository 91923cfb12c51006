package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http1.PipelinedResponses.Response;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A raw peer that pipelines random requests to the server, joined by the in-VM transport in
/// virtual time, against a model.
///
/// - The requests have every framing ([PipelinedRequest]) and arrive in random pieces with pauses.
///   Some peers read slowly.
/// - A connection ends in order, by FIN or close within a request, by a close with unread
///   responses, or after bytes that are no request.
/// - Handlers run once for each request, in order. Each request that was complete is answered once,
///   in order, with the right body, as far as the peer stays to receive it. No further bytes are
///   sent.
/// - At the end no buffer and no channel is left.
///
/// A run prints its seed; `-Dseed=N` repeats it.
final class PipeliningModelTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http");
  private static final Logger QUIET_1 = Logger.getLogger("dev.quickwater.http1");

  static {
    QUIET.setLevel(Level.OFF); // faults are provoked by the thousand
    QUIET_1.setLevel(Level.OFF);
  }

  private static final int REQUESTS_OF_A_LOOP = 1000;
  private static final int PARTS = 20;
  private static final ChannelSettings CHANNEL = ChannelSettings.DEFAULT.withHalfClose(true);

  /// With low water marks, so that responses wait for peers that read slowly.
  private static final ChannelSettings SERVER = CHANNEL.withWaterMarks(2_000, 8_000);

  private static final List<String> VIOLATIONS =
      List.of(
          "no request\r\n\r\n",
          "GET / HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
          "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\nX: b\r\n c: d\r\n\r\n",
          "\0\1\2\3\r\n\r\n");

  /// How the peer ends a connection.
  private enum End {
    /// By FIN, after all responses.
    IN_ORDER,
    /// By FIN right behind the last request.
    FIN,
    /// By FIN within the bytes of the requests.
    FIN_WITHIN,
    /// Without reading further responses, within the bytes of the requests.
    CLOSE_WITHIN,
    /// As above, with responses that were not read: the server sees a reset.
    RESET_WITHIN,
    /// By bytes that are no request, behind the last one.
    VIOLATION
  }

  private final List<PipelinedRequest> requests = new ArrayList<>();

  /// The handler of the next request.
  private int handled;

  private int answered;
  private int opened;
  private int closed;

  @Test
  void pipelinedRequestsAreAnsweredAsTheModelSays() {
    run(20_000, Long.getLong("seed", new Random().nextLong()));
  }

  static LongStream million() {
    long first = Long.getLong("seed", new Random().nextLong());
    return LongStream.range(first, first + PARTS);
  }

  @ParameterizedTest
  @MethodSource("million")
  @Tag("full")
  void millionPipelinedRequestsAreAnsweredAsTheModelSays(long seed) {
    run(1_000_000 / PARTS, seed);
  }

  private void run(int count, long seed) {
    System.out.println(count + " pipelined requests, seed " + seed);
    Random random = new Random(seed);
    int done = 0;
    while (done < count) {
      done += oneLoop(random, "seed " + seed + ", after " + done + ": ");
    }
    System.out.println(answered + " of " + done + " were answered on " + opened + " connections");
    assertTrue(answered > done / 5, answered + " of " + done + " were answered");
    assertTrue(answered < done, "no request was lost");
  }

  private int oneLoop(Random random, String where) {
    requests.clear();
    EmbeddedChannel host = new EmbeddedChannel();
    boolean halfClose = random.nextBoolean();
    Http1Settings settings = Http1Settings.DEFAULT.withHalfClose(halfClose);
    Future<Channel> listener =
        new ServerBootstrap(
                host.loop(),
                SERVER,
                channel -> {
                  channel.closeFuture().onComplete(_ -> closed++);
                  channel.pipeline().addLast(new Http1ServerHandler(settings, this::handle));
                })
            .listen(InVmAddress.any());
    host.runTasks();
    int channels = host.loop().metrics().channels();
    while (requests.size() < REQUESTS_OF_A_LOOP) {
      connection(random, host, listener.value(), halfClose, where);
    }
    assertEquals(channels, host.loop().metrics().channels(), where + "channels");
    listener.value().close();
    host.runTasks();
    assertEquals(0, host.loop().allocator().metrics().used(), where + "bytes still held");
    host.close();
    return requests.size();
  }

  private void handle(HttpExchange x) {
    int number = Integer.parseInt(x.request().path().substring(1));
    assertEquals(handled, number);
    handled++;
    requests.get(number).handle(x);
  }

  // ---- one connection ----

  private void connection(
      Random random, EmbeddedChannel host, Channel listener, boolean halfClose, String where) {
    int first = requests.size();
    handled = first;
    opened++;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<Integer> ends = new ArrayList<>();
    int count = random.nextInt(random.nextInt(30) == 0 ? 300 : 20); // some exceed a turn's budget
    for (int i = count; i >= 0; i--) {
      PipelinedRequest next = new PipelinedRequest(requests.size(), random);
      requests.add(next);
      all.writeBytes(next.wire());
      ends.add(all.size());
    }
    List<PipelinedRequest> sent = List.copyOf(requests.subList(first, requests.size()));
    End end = End.values()[random.nextInt(End.values().length)];
    if (end == End.VIOLATION) {
      String violation = VIOLATIONS.get(random.nextInt(VIOLATIONS.size()));
      all.writeBytes(violation.getBytes(StandardCharsets.ISO_8859_1));
    }
    boolean within = end == End.FIN_WITHIN || end == End.CLOSE_WITHIN || end == End.RESET_WITHIN;
    int cut = within ? random.nextInt(all.size()) : all.size();
    int complete = (int) ends.stream().filter(at -> at <= cut).count();
    String what = where + end + (halfClose ? " half-close " : " ") + cut + " of " + sent;

    RawPeer peer = new RawPeer();
    Future<Channel> connected =
        new ClientBootstrap(host.loop(), CHANNEL, channel -> channel.pipeline().addLast(peer))
            .connect(Objects.requireNonNull(listener.localAddress()));
    host.runTasks();
    Channel channel = connected.value();
    send(random, host, channel, peer, Arrays.copyOf(all.toByteArray(), cut));
    end(random, host, channel, peer, end, sent.size());
    for (int i = 0; closed < opened; i++) {
      assertTrue(i < 400, what + " stays open");
      host.advance(Duration.ofMillis(i < 100 ? 5 : 200));
    }
    host.runTasks();
    channel.close();
    host.runTasks();
    boolean isGone = (end == End.FIN || end == End.FIN_WITHIN) && !halfClose;
    boolean stays = !isGone && end != End.CLOSE_WITHIN && end != End.RESET_WITHIN;
    check(sent, complete, stays, end, peer, what);
  }

  private static void send(
      Random random, EmbeddedChannel host, Channel channel, RawPeer peer, byte[] bytes) {
    @Nullable Pause slow = random.nextInt(6) == 0 ? channel.pauseReading("slow") : null;
    int max = random.nextInt(4) == 0 ? 20 : 5000;
    for (int at = 0; at < bytes.length && channel.isActive(); ) {
      int rest = bytes.length - at;
      int length = rest > 500 * max ? rest : Math.min(rest, 1 + random.nextInt(max));
      channel.writeAndFlush(ByteBuf.wrap(Arrays.copyOfRange(bytes, at, at + length)));
      at += length;
      int pause = random.nextInt(20);
      if (pause == 0) {
        host.advance(Duration.ofMillis(random.nextInt(8)));
      } else if (pause < 5) {
        host.runTasks();
      }
      if (slow != null && random.nextInt(10) == 0) {
        slow.close();
        slow = null;
      }
    }
    if (slow != null) {
      peer.slow = slow;
    }
  }

  private static void end(
      Random random, EmbeddedChannel host, Channel channel, RawPeer peer, End end, int count) {
    if (end == End.RESET_WITHIN && peer.slow == null) {
      peer.slow = channel.pauseReading("reset");
    }
    if (random.nextBoolean()) {
      host.advance(Duration.ofMillis(random.nextInt(10)));
    }
    if (end == End.CLOSE_WITHIN || end == End.RESET_WITHIN) {
      channel.close();
      return;
    }
    if (end == End.FIN && random.nextBoolean()) {
      channel.shutdownOutput();
      host.runTasks();
    }
    if (peer.slow != null) {
      peer.slow.close();
    }
    if (end == End.IN_ORDER) {
      for (int i = 0; i < 30 * count && !peer.ended && channel.isActive(); i++) {
        host.advance(Duration.ofMillis(2));
      }
    }
    if (end != End.VIOLATION) {
      channel.shutdownOutput();
    }
  }

  // ---- the model ----

  /// @param complete the number of requests whose bytes were all sent
  /// @param stays true if the peer waits for the responses
  private void check(
      List<PipelinedRequest> sent,
      int complete,
      boolean stays,
      End end,
      RawPeer peer,
      String what) {
    PipelinedResponses responses = new PipelinedResponses(peer.bytes.toByteArray(), peer.ended);
    boolean closes = false;
    int count = 0;
    while (count < complete && !closes) {
      PipelinedRequest request = sent.get(count);
      @Nullable Response response = responses.next(request.isHead);
      if (response == null) {
        break;
      }
      String at = what + ": response to " + request;
      assertEquals(200, response.status(), at);
      assertArrayEquals(request.isHead ? new byte[0] : request.expected(), response.body(), at);
      closes = response.closes();
      assertTrue(request.mayClose() || !closes, at + " announces the close");
      assertTrue(closes || !request.mustClose(), at + " does not announce the close");
      count++;
    }
    answered += count;
    if (stays) {
      assertTrue(closes || count == complete, what + ": only " + count + " were answered");
      if (end == End.VIOLATION && !closes) {
        @Nullable Response refusal = responses.next(false);
        assertTrue(refusal != null && refusal.status() >= 400, what + ": no refusal");
      }
    }
    if (closes) {
      assertEquals(sent.get(count - 1).number + 1, handled, what + ": handled after the close");
    }
    if (stays && end != End.FIN_WITHIN) {
      assertTrue(responses.isEmpty(), what + ": further bytes are sent");
    }
  }

  /// Keeps what the server sends.
  private static final class RawPeer implements ChannelHandler {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean ended;
    @Nullable Pause slow;

    @Override
    public void channelRead(HandlerContext at, Object message) {
      ByteBuf received = (ByteBuf) message;
      byte[] copy = received.readBytes(received.readableBytes());
      received.release();
      bytes.writeBytes(copy);
    }

    @Override
    public void channelInputClosed(HandlerContext at) {
      ended = true;
    }

    @Override
    public void exceptionCaught(HandlerContext at, Throwable cause) {
      at.channel().close(); // the server was faster
    }
  }
}
