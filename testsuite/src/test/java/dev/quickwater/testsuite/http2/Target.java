package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The server under attack: one loop on the defaults of [HttpServer], a count of the calls of its
/// handlers, and its memory.
///
/// - `/plaintext` answers 13 bytes;
/// - `/hang` and `/pending` never answer, `/pending` is for bodies that are never read;
/// - `/length` reads the whole body and answers its length;
/// - `/large` answers [#LARGE] bytes as fast as they are taken;
/// - `/stalled` does the same with an idle timeout of 300 ms;
/// - `/unique` answers with a field of 1,000 bytes that no other response has.
final class Target implements AutoCloseable {

  static final int LARGE = 64 << 20;

  private static final int PIECE = 16 << 10;

  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private final RunningServer server;

  Target() {
    this(VersionSettings.DEFAULT);
  }

  /// With other limits and deadlines.
  Target(VersionSettings versions) {
    Routes routes =
        new Routes()
            .get("/plaintext", x -> x.respond(HttpResponse.text("Hello, World!")))
            .get("/hang", _ -> {})
            .post("/pending", _ -> {})
            .post(
                "/length",
                x ->
                    x.respond(
                        x.readAll(LARGE)
                            .map(body -> HttpResponse.text(String.valueOf(body.length)))))
            .post("/last", Target::answerAtTheEnd)
            .get("/large", x -> produce(x, LARGE))
            .get(
                "/stalled",
                x -> {
                  x.limits(x.limits().withIdleTimeout(Duration.ofMillis(300)));
                  produce(x, LARGE);
                })
            .get("/unique", x -> x.respond(unique()));
    server =
        HttpServer.create(
                x -> {
                  calls.incrementAndGet();
                  open.incrementAndGet();
                  x.onEnd(_ -> open.decrementAndGet());
                  routes.handle(x);
                })
            .with(
                HttpServerSettings.DEFAULT
                    .withLoops(new LoopSettings(1, "auto"))
                    .withVersions(versions))
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private HttpResponse unique() {
    return HttpResponse.of(
        HttpStatus.OK, HttpHeaders.of("x-unique", "%01000d".formatted(calls.get())), new byte[0]);
  }

  /// Reads piece by piece and answers when the body has ended.
  private static void answerAtTheEnd(HttpExchange x) {
    x.requestBody()
        .read(
            new BodyReader() {
              @Override
              public void data(ByteBuf bytes) {
                bytes.release();
                x.requestBody().read(this);
              }

              @Override
              public void end(HttpHeaders trailers) {
                x.respond(HttpResponse.text("end"));
              }
            });
  }

  private static void produce(HttpExchange x, int length) {
    ResponseHead head = ResponseHead.of(HttpStatus.OK, HttpHeaders.EMPTY).withLength(length);
    produce(x, x.respond(head), length);
  }

  private static void produce(HttpExchange x, OutgoingBody body, int left) {
    int rest = left;
    while (rest > 0 && body.isWritable()) {
      int length = Math.min(rest, PIECE);
      body.write(x.loop().allocator().allocate(length).writeBytes(new byte[length]));
      rest -= length;
    }
    if (rest == 0) {
      body.end();
      return;
    }
    int remaining = rest;
    body.onWritable(() -> produce(x, body, remaining));
  }

  int port() {
    return server.port();
  }

  RawPeer connect() throws IOException {
    return RawPeer.connect(port());
  }

  /// How many requests have reached the handler.
  long calls() {
    return calls.get();
  }

  /// Exchanges that have reached the handler and have not ended.
  long open() {
    return open.get();
  }

  int connections() {
    return server.connections();
  }

  /// How often peers exceeded a budget, by its setting.
  Map<String, Long> trips() {
    return server.metrics().budgetTrips();
  }

  /// Bytes of buffers in use.
  long usedBytes() {
    return server.usedBytes();
  }

  /// Live bytes of the Java heap of this process: what a full collection left, without what was
  /// allocated since.
  static long liveHeap() {
    System.gc();
    long live = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage left = pool.getCollectionUsage();
      live += pool.getType() == MemoryType.HEAP && left != null ? left.getUsed() : 0;
    }
    return live;
  }

  /// Something that becomes true.
  interface Condition {
    boolean holds() throws IOException;
  }

  /// Waits until `condition` holds; fails after 15 s.
  static void eventually(String what, Condition condition) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within 15 s: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /// A new connection is answered.
  void assertAnswers() throws IOException {
    try (RawPeer peer = connect()) {
      assertEquals("200", peer.get(1, "/plaintext"));
      assertEquals("Hello, World!", peer.body());
    }
  }

  @Override
  public void close() {
    server.drain(Duration.ZERO);
  }
}
