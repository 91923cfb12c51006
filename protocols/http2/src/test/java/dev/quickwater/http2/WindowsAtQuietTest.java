package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.Exchange;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Random exchanges between our client and our server: resets, early responses, unread bodies, slow
/// readers, writes after the end, calls inside of callbacks. When all exchanges have ended, both
/// ends agree on both windows of the connection, no byte is queued or unread, no stream is open,
/// and at most half of each window is used. A failure names its seed; `-Dseed=N` repeats it.
final class WindowsAtQuietTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http");
  private static final Logger QUIET_2 = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF); // faults are provoked by the hundred
    QUIET_2.setLevel(Level.OFF);
  }

  private static final int ROUNDS = 300;
  private static final int EXCHANGES = 40;
  private static final ChannelSettings CHANNEL = ChannelSettings.DEFAULT.withHalfClose(true);

  private final EmbeddedChannel host = new EmbeddedChannel();
  private Random random = new Random(0);
  private final Http2ClientHandler client = new Http2ClientHandler(Http2Settings.DEFAULT);
  private final Http2ServerHandler server =
      new Http2ServerHandler(Http2Settings.DEFAULT, this::serve);
  private int began;
  private int ended;
  private int clientBegan;
  private int clientEnded;

  private void connect() {
    Future<Channel> listening =
        new ServerBootstrap(host.loop(), CHANNEL, made -> made.pipeline().addLast(server))
            .listen(InVmAddress.any());
    host.runTasks();
    new ClientBootstrap(host.loop(), CHANNEL, made -> made.pipeline().addLast(client))
        .connect(Objects.requireNonNull(listening.value().localAddress()));
    host.runTasks();
    listening.value().close();
    host.runTasks();
  }

  /// Writes a body of random pieces, reads one, or ends it early.
  private final class Side implements BodyReader {
    final Exchange exchange;
    final IncomingBody in;
    final OutgoingBody out;
    int left;
    final boolean known;

    Side(Exchange exchange, IncomingBody in, OutgoingBody out, int size, boolean known) {
      this.exchange = exchange;
      this.in = in;
      this.out = out;
      this.left = size;
      this.known = known;
    }

    boolean aborts() {
      if (random.nextInt(30) == 0) {
        exchange.reset(random.nextBoolean() ? ResetCode.CANCEL : ResetCode.NO_ERROR);
        return true;
      }
      return false;
    }

    void send() {
      while (left > 0) {
        if (aborts()) {
          break;
        }
        int length = Math.min(left, 1 + random.nextInt(20_000));
        left -= length;
        out.write(exchange.loop().allocator().allocate(length).writeBytes(new byte[length]));
        if (random.nextInt(5) == 0) {
          out.flush();
        }
        if (random.nextInt(8) == 0) {
          exchange.loop().schedule(this::send, Duration.ofMillis(random.nextInt(200)));
          return;
        }
        if (!out.isWritable()) {
          out.onWritable(this::send);
          return;
        }
      }
      out.end(
          !known && random.nextInt(4) == 0 ? HttpHeaders.of("x-trailer", "1") : HttpHeaders.EMPTY);
    }

    void read() {
      in.read(this);
    }

    @Override
    public void data(ByteBuf bytes) {
      if (random.nextInt(60) == 0) {
        bytes.release();
        throw new IllegalStateException("a fault of the reader");
      }
      bytes.release();
      if (aborts()) {
        return;
      }
      switch (random.nextInt(10)) {
        case 0 -> exchange.loop().schedule(this::read, Duration.ofMillis(random.nextInt(400)));
        case 1 -> {} // nobody reads the rest
        default -> read();
      }
    }

    @Override
    public void end(HttpHeaders trailers) {
      if (random.nextInt(5) == 0) {
        exchange.reset(ResetCode.CANCEL);
      }
    }
  }

  private int size() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextInt(400_000);
      case 2, 3 -> random.nextInt(70_000);
      default -> random.nextInt(500);
    };
  }

  private void open() {
    int size = random.nextBoolean() ? 0 : size();
    boolean known = size == 0 || random.nextBoolean();
    RequestHead.Builder head =
        RequestHead.builder(size == 0 ? HttpMethod.GET : HttpMethod.POST, "http://a/")
            .contentLength(known ? size : RequestHead.UNKNOWN_LENGTH);
    if (size > 0 && random.nextInt(8) == 0) {
      head.add("expect", "100-continue");
    }
    client
        .connection()
        .open(head.build())
        .onComplete(opened -> {
          if (!opened.isSuccess()) {
            return;
          }
          ClientExchange x = opened.value();
          clientBegan++;
          x.onEnd(_ -> clientEnded++);
          Side side = new Side(x, x.responseBody(), x.requestBody(), size, known);
          x.onResponse(_ -> {
            if (!side.aborts()) {
              side.read();
            }
          });
          if (random.nextInt(6) == 0) {
            x.loop().schedule(side::send, Duration.ofMillis(random.nextInt(300)));
          } else {
            side.send();
          }
        });
  }

  private void serve(HttpExchange x) {
    began++;
    x.onEnd(_ -> ended++);
    int size = size();
    boolean known = random.nextBoolean();
    Side side = new Side(x, x.requestBody(), (OutgoingBody) x, size, known);
    if (random.nextInt(3) > 0) {
      side.read();
    }
    Runnable respond =
        () -> {
          ResponseHead head = ResponseHead.of(HttpStatus.OK);
          switch (random.nextInt(8)) {
            case 0 -> x.fail(new IllegalStateException("a fault of the handler"));
            case 1 -> x.respond(ResponseHead.of(HttpStatus.NO_CONTENT));
            case 2, 3 ->
                x.respond(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, new byte[size]));
            default -> {
              x.respond(known ? head.withLength(size) : head);
              side.send();
            }
          }
        };
    if (random.nextInt(4) == 0) {
      x.loop().schedule(respond, Duration.ofMillis(random.nextInt(500)));
    } else {
      respond.run();
    }
  }

  private static List<Object> windows(Http2Engine sender, Http2Engine receiver) {
    return List.of(
        sender.sendFlow.window(),
        sender.sendFlow.queued(),
        receiver.receiveFlow.unread(),
        sender.streamCount());
  }

  private static void checkQuiet(Http2Engine sender, Http2Engine receiver, String where) {
    int window = receiver.receiveFlow.window();
    assertEquals(List.<Object>of(window, 0L, 0L, 0), windows(sender, receiver), where);
    int connection = receiver.settings.windows().connection();
    assertTrue(window <= connection && window > connection / 2, where + " window " + window);
  }

  @Test
  void agreeAndReturn() {
    long seed = Long.getLong("seed", new Random().nextLong());
    random = new Random(seed);
    connect();
    for (int round = 0; round < ROUNDS; round++) {
      String where = "seed " + seed + ", round " + round;
      for (int i = random.nextInt(EXCHANGES); i >= 0; i--) {
        open();
      }
      host.runTasks();
      for (int i = 0; i < 200 && (ended < began || clientEnded < clientBegan); i++) {
        host.advance(i < 100 ? Duration.ofMillis(50) : Duration.ofSeconds(2));
      }
      host.advance(Duration.ofSeconds(2));
      assertEquals(began, ended, where + " exchanges of the server");
      assertEquals(clientBegan, clientEnded, where + " exchanges of the client");
      assertTrue(client.canOpen(), where + " closed");
      checkQuiet(client.engine(), server.engine(), where + " up");
      checkQuiet(server.engine(), client.engine(), where + " down");
    }
    client.connection().close();
    host.runTasks();
    assertEquals(0, host.loop().allocator().metrics().used(), "bytes still held, seed " + seed);
    host.close();
  }
}
