package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.common.Future;
import dev.quickwater.common.LeakTracker;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.RequestHead;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// The bytes of Java heap that one exchange of a client costs on a connection that stays open, from
/// `open` to the end of the response. The limit is in `allocation.gate`, by the rules of
/// [AllocationGate]. Never more than 1,500.
final class ClientAllocationGate {

  private static final int MOST = 1500;
  private static final double BAND = 0.05;
  private static final int EXCHANGES = 50_000;
  private static final int WARM_UP_ROUNDS = 5;

  private static final RequestHead GET =
      RequestHead.get("http://127.0.0.1:8080/plaintext").toBuilder().add("accept", "*/*").build();

  private static final String EQUAL =
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nserver: quickwater\r\n"
          + "content-length: 13\r\ndate: Sun, 22 Nov 2026 10:00:00 GMT\r\n\r\nHello, World!";

  /// The use of an open exchange.
  private interface Caller {
    void take(ClientExchange x);
  }

  @Test
  void clientReader() throws Exception {
    check("clientReader", Body::new);
  }

  @Test
  void clientReadAll() throws Exception {
    check("clientReadAll", x -> x.readAll(1000));
  }

  /// Drops the body piece by piece.
  private static final class Body implements BodyReader {
    private final ClientExchange exchange;

    Body(ClientExchange exchange) {
      this.exchange = exchange;
      exchange.responseBody().read(this);
    }

    @Override
    public void data(ByteBuf bytes) {
      bytes.release();
      exchange.responseBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {}
  }

  private static void check(String name, Caller caller) throws Exception {
    assertEquals(LeakTracker.Level.DISABLED, LeakTracker.LEVEL, "trackers would be counted");
    double measured = measure(caller);
    double expected = Double.parseDouble(AllocationGate.gate().getProperty(name));
    String figures =
        "%s: %.1f bytes an exchange, the gate says %.1f".formatted(name, measured, expected);
    System.out.println(figures);
    assertTrue(measured <= MOST, figures);
    assertTrue(Math.abs(measured - expected) <= BAND * expected, figures);
  }

  private static double measure(Caller caller) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] response = Parsing.bytes(EQUAL);
    try (EmbeddedChannel host = new EmbeddedChannel()) {
      SinkIo io = new SinkIo();
      Http1ClientHandler http1 = new Http1ClientHandler(Http1Settings.DEFAULT);
      Channel channel =
          Channel.open(
              host.loop(),
              io,
              ChannelSettings.DEFAULT.withHalfClose(true),
              c -> c.pipeline().addLast(http1));
      ChannelEvents events = io.events();
      double least = Double.MAX_VALUE;
      for (int round = 0; round < WARM_UP_ROUNDS + 3; round++) {
        long sent = io.sent;
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < EXCHANGES; i++) {
          Future<ClientExchange> opened = http1.connection().open(GET);
          caller.take(opened.value());
          host.loop().step(); // sends the request
          events.received(host.loop().allocator().allocate(2048).writeBytes(response));
          events.readTurnEnded();
          host.loop().step();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(0, (io.sent - sent) % EXCHANGES, "not every request was sent alike");
        assertTrue(io.sent > sent, "nothing was sent");
        assertTrue(http1.canOpen(), "the last exchange has not ended");
        if (round >= WARM_UP_ROUNDS) {
          least = Math.min(least, (double) allocated / EXCHANGES);
        }
      }
      channel.close();
      return least;
    }
  }
}
