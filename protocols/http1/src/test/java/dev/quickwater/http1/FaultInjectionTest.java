package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResetCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// After a fault at any place every buffer is released (checked when the server closes), the abort
/// callback was called at most once, and no connection stays open.
final class FaultInjectionTest {

  private static final String REQUESTS =
      "POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\nT: u\r\n\r\n"
          + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
          + "POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

  /// Streams the body back.
  private static class Echo implements HttpHandler {
    @Override
    public void handle(HttpExchange x) throws Exception {
      x.requestBody().pipeTo(x.respond(TestServer.head(-1)));
    }
  }

  /// Keep-alive, a minimum rate, lingering: each begins when the previous one is over.
  private static void passAllDeadlines(TestServer server) {
    for (int i = 0; i < 4; i++) {
      server.advanceSeconds(80);
    }
  }

  private interface Fault {
    void on(TestServer server);
  }

  private static void atEveryByte(HttpHandler handler, long window, Fault fault) {
    long shared = ByteBufAllocator.shared().metrics().used();
    for (int at = 0; at <= REQUESTS.length(); at++) {
      try (TestServer server = new TestServer(handler)) {
        server.peer.setWindow(window);
        server.send(REQUESTS.substring(0, at));
        fault.on(server);
        server.peer.runTasks();
        assertTrue(server.aborted() <= 1, "exchanges that ended early at byte " + at);
        passAllDeadlines(server);
        server.assertClosed();
        assertEquals(server.exchanges.size(), server.outcomes().size(), "outcomes at byte " + at);
      }
      assertEquals(shared, ByteBufAllocator.shared().metrics().used(), "at byte " + at);
    }
  }

  @Test
  void resetAtEveryByte() {
    atEveryByte(new Echo(), Long.MAX_VALUE, TestServer::reset);
    atEveryByte(new Echo(), 20, TestServer::reset);
    atEveryByte(_ -> {}, Long.MAX_VALUE, TestServer::reset);
  }

  @Test
  void endOfInputAtEveryByte() {
    atEveryByte(new Echo(), Long.MAX_VALUE, server -> server.peer.endInput());
    atEveryByte(new Echo(), 20, server -> server.peer.endInput());
  }

  @Test
  void closeByTheServerAtEveryByte() {
    atEveryByte(new Echo(), Long.MAX_VALUE, server -> server.peer.channel().close());
    atEveryByte(new Echo(), 20, server -> server.peer.channel().close());
  }

  @Test
  void drainAtEveryByte() {
    atEveryByte(new Echo(), Long.MAX_VALUE, server -> server.http1().drain());
    atEveryByte(new Echo(), 20, server -> server.http1().drain());
  }

  @Test
  void silenceAtEveryByte() {
    atEveryByte(new Echo(), Long.MAX_VALUE, _ -> {});
    atEveryByte(new Echo(), 20, _ -> {});
  }

  @Test
  void nonsenseAtEveryByte() {
    atEveryByte(new Echo(), Long.MAX_VALUE, server -> server.send("\u0000\u0001\n\n"));
  }

  /// Throws, or resets the exchange, at the `n`-th call of any callback.
  private static final class Breaking implements HttpHandler {
    private final int at;
    private final boolean reset;
    private int calls;

    Breaking(int at, boolean reset) {
      this.at = at;
      this.reset = reset;
    }

    private void step(HttpExchange x) throws IOException {
      if (++calls == at) {
        if (reset) {
          x.reset(ResetCode.CANCEL);
        } else {
          throw new IOException("a fault of the handler");
        }
      }
    }

    @Override
    public void handle(HttpExchange x) throws Exception {
      step(x);
      x.requestBody()
          .read(
              new BodyReader() {
                @Override
                public void data(ByteBuf bytes) throws IOException {
                  bytes.release();
                  step(x);
                  x.requestBody().read(this);
                }

                @Override
                public void end(HttpHeaders trailers) throws IOException {
                  step(x);
                  OutgoingBody body = x.respond(TestServer.head(-1));
                  step(x);
                  body.write(x.loop().allocator().allocate(4).writeAscii("abcd"));
                  step(x);
                  body.end();
                  step(x);
                }
              });
    }
  }

  @Test
  void everyCallbackBreaksInTurn() {
    for (boolean reset : new boolean[] {false, true}) {
      for (int cut = 1; cut < REQUESTS.length(); cut += 7) {
        for (int at = 1; at <= 20; at++) {
          try (TestServer server = new TestServer(new Breaking(at, reset))) {
            server.send(REQUESTS.substring(0, cut));
            server.send(REQUESTS.substring(cut));
            passAllDeadlines(server);
            server.assertClosed();
          }
        }
      }
    }
  }
}
