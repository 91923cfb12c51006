package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// The n-th allocation of a connection fails, for every n that occurs. All buffers are released
/// (checked when the server closes, and by the leak extension). The connection continues or ends
/// but never hangs, and other connections of its loop are not affected.
final class AllocationFaultTest {

  /// Silenced, because thousands of faults reach a timer or a task and would be logged.
  private static final Logger QUIET = Logger.getLogger("dev.quickwater");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private static final byte[] BYTES = new byte[6 << 10];

  private static final HttpResponse STATIC =
      HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, BYTES);

  /// A connection on which an allocation fails.
  private static final class Faulty {
    private int left;
    private boolean failed;

    Faulty(int at) {
      this.left = at;
    }

    private void arm() {
      Heaps.probe(() -> {
        if (--left == 0) {
          failed = true;
          throw new OutOfMemoryError("the fault of this test");
        }
      });
    }

    private void disarm() {
      Heaps.probe(null);
    }
  }

  /// Runs `script` with the first allocation failing, the second, and so on, until none fails.
  private static int everyAllocationFailsInTurn(HttpHandler handler, Consumer<TestServer> script) {
    for (int at = 1; ; at++) {
      long shared = ByteBufAllocator.shared().metrics().used();
      boolean failed;
      try (TestServer server = new TestServer(handler)) {
        Faulty faulty = new Faulty(at);
        faulty.arm();
        script.accept(server);
        server.peer.runTasks();
        faulty.disarm();
        failed = faulty.failed;
        String what = "allocation " + at;
        String sent = server.sent();
        if (!failed) {
          assertTrue(sent.matches("(?s).*(the end\n| 40[08] .*)"), sent);
        }
        boolean open = !server.peer.isClosed() && !server.peer.isOutputEnded();
        assertTrue(ResponseCheck.isComplete(sent) || !open, what + " cut a response: " + sent);
        if (open) {
          assertEquals(TestServer.ok("/fresh"), answerOf(server.get("/fresh")), what);
        }
        assertTrue(server.aborted() <= 1, what);
        for (int i = 0; i < 4; i++) {
          server.advanceSeconds(80);
        }
        assertTrue(server.peer.isClosed(), what + " leaves the connection open");
      }
      assertEquals(shared, ByteBufAllocator.shared().metrics().used(), "allocation " + at);
      try (TestServer fresh = TestServer.paths()) {
        assertEquals(TestServer.ok("/x"), fresh.get("/x").sent());
      }
      if (!failed) {
        return at - 1;
      }
    }
  }

  private static String answerOf(TestServer server) {
    server.peer.runTasks();
    return server.sent();
  }

  /// Responds by path: at once, later, or as a stream. Each script ends with `/end`.
  private static void serve(HttpExchange x) {
    switch (x.request().path()) {
      case "/static" -> x.respond(STATIC);
      case "/echo" -> echo(x);
      case "/later" -> x.execute(() -> x.respond(HttpResponse.text("/later")));
      case "/echo-later" -> x.execute(() -> echo(x));
      case "/length" -> length(x);
      case "/ticks" -> ticks(x);
      case "/end" -> x.respond(HttpResponse.text("the end\n"));
      default -> x.respond(HttpResponse.text(x.request().path()));
    }
  }

  private static void echo(HttpExchange x) {
    x.requestBody().pipeTo(x.respond(TestServer.head(-1)));
  }

  /// Answers with the length of the body.
  private static void length(HttpExchange x) {
    x.readAll(10_000)
        .onComplete(f -> {
          if (f.isSuccess()) {
            x.respond(HttpResponse.text("" + f.value().length));
          } else {
            x.fail(f.cause());
          }
        });
  }

  /// A stream whose parts are written by a timer, which continues even if the last write failed.
  private static void ticks(HttpExchange x) {
    OutgoingBody body = x.respond(TestServer.head(-1));
    for (int i = 1; i <= 3; i++) {
      x.loop().schedule(() -> body.write(ByteBuf.wrap(BYTES)), Duration.ofMillis(10L * i));
    }
    x.loop().schedule(() -> body.end(), Duration.ofMillis(40));
  }

  private static final String END = "GET /end HTTP/1.1\r\nHost: a\r\n\r\n";

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  private static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static String chunked(String path, String... chunks) {
    StringBuilder text = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: a\r\n");
    text.append("Transfer-Encoding: chunked\r\n\r\n");
    for (String chunk : chunks) {
      text.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk).append("\r\n");
    }
    return text.append("0\r\n\r\n").toString();
  }

  /// Sends everything at once and in pieces of `step` bytes, each to a peer that reads at once and
  /// to a peer that reads in small steps.
  private static void inEveryWay(String requests, int least) {
    int met = 0;
    for (int step : new int[] {Integer.MAX_VALUE, 7, 1}) {
      for (long window : new long[] {Long.MAX_VALUE, 100}) {
        met +=
            everyAllocationFailsInTurn(
                AllocationFaultTest::serve,
                server -> {
                  server.peer.setWindow(window);
                  for (int i = 0;
                      i < requests.length();
                      i += Math.min(step, requests.length() - i)) {
                    server.send(
                        requests.substring(i, (int) Math.min((long) i + step, requests.length())));
                  }
                  server.advance(Duration.ofMillis(100));
                  server.peer.setWindow(Long.MAX_VALUE);
                });
      }
    }
    assertTrue(met >= least, "only " + met + " allocations were made");
  }

  @Test
  void plainRequestsOnOneConnection() {
    inEveryWay(get("/1") + get("/2") + post("/length", "body") + END, 6);
  }

  @Test
  void streamingEcho() {
    inEveryWay(post("/echo", "hello".repeat(30)) + chunked("/echo", "abc", "defgh") + END, 6);
  }

  @Test
  void staticBytes() {
    inEveryWay(get("/static") + get("/static") + END, 6);
  }

  @Test
  void responseThatComesLater() {
    inEveryWay(get("/later") + post("/echo-later", "hello") + END, 6);
  }

  @Test
  void streamThatTimersWrite() {
    inEveryWay(get("/ticks") + END, 6);
  }

  @Test
  void clientThatWaitsForContinue() {
    for (String path : new String[] {"/echo", "/echo-later"}) {
      int met =
          everyAllocationFailsInTurn(
              AllocationFaultTest::serve,
              server -> {
                server.send(
                    "POST "
                        + path
                        + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 5\r\n\r\n");
                server.peer.runTasks();
                server.send("hello" + END);
              });
      assertTrue(met > 1, "only " + met);
    }
  }

  @Test
  void violationThatIsAnswered() {
    int met =
        everyAllocationFailsInTurn(
            AllocationFaultTest::serve,
            server -> {
              server.send(get("/1") + "nonsense\r\n\r\n");
              server.peer.endInput();
              assertTrue(server.peer.isClosed(), "open after nonsense");
            });
    assertEquals(1, met);
  }

  @Test
  void deadlineThatIsAnswered() {
    for (String begun :
        new String[] {
          "GET / HT", "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
        }) {
      everyAllocationFailsInTurn(
          AllocationFaultTest::serve,
          server -> {
            server.send(get("/1") + begun);
            for (int i = 0; i < 4; i++) {
              server.advanceSeconds(80);
            }
          });
    }
  }
}
