package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"nio", "epoll"})
final class BlockingHandlerTest {

  private final String transport;

  BlockingHandlerTest(String transport) {
    this.transport = transport;
  }

  private static String post(int length) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
  }

  @Test
  void bodyIsAStream() throws Exception {
    try (RunningServer server =
            Servers.blocking(
                transport,
                x -> HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, x.body().readAllBytes()));
        Wire wire = new Wire(server)) {
      String text = "0123456789".repeat(50_000);
      assertEquals(text, wire.send(post(text.length()) + text).answer().text());
      wire.send("POST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 1000; i++) {
        wire.send("1\r\nx\r\n");
      }
      assertEquals("x".repeat(1000), wire.send("0\r\n\r\n").answer().text());
      assertEquals("", wire.send("GET / HTTP/1.1\r\nHost:\r\n\r\n").answer().text());
    }
  }

  @Test
  void slowReaderHoldsThePeerBack() throws Exception {
    int length = 16 << 20;
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Thread> handling = new CompletableFuture<>();
    try (RunningServer server =
            Servers.blocking(
                transport,
                x -> {
                  x.body().read();
                  handling.complete(Thread.currentThread());
                  go.await();
                  return HttpResponse.text(
                      "" + (1 + x.body().transferTo(java.io.OutputStream.nullOutputStream())));
                });
        Wire wire = new Wire(server)) {
      long before = server.usedBytes();
      wire.send(post(length));
      AtomicLong sent = new AtomicLong();
      Thread sender =
          Thread.ofVirtual()
              .start(() -> {
                byte[] part = new byte[1 << 16];
                try {
                  for (int i = 0; i < length / part.length; i++) {
                    wire.send(part);
                    sent.addAndGet(part.length);
                  }
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      handling.get(20, TimeUnit.SECONDS);
      long most = 0;
      long began = System.nanoTime();
      while (System.nanoTime() - began < 300_000_000L) {
        most = Math.max(most, server.usedBytes() - before);
        Thread.yield();
      }
      assertTrue(sent.get() < length, "everything was taken in");
      assertTrue(most < 1 << 20, most + " bytes held");
      go.countDown();
      assertEquals("" + length, wire.answer().text());
      sender.join();
    }
  }

  @Test
  void bytesThatTrickleDoNotHoldAMultipleOfTheirSize() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (RunningServer server =
            Servers.blocking(
                transport,
                x -> {
                  x.body().read();
                  go.await();
                  return HttpResponse.text("" + x.body().readAllBytes().length);
                });
        Wire wire = new Wire(server)) {
      wire.send(post(5001) + "x");
      long before = server.usedBytes();
      for (int i = 0; i < 5000; i++) {
        wire.send("x");
      }
      Baseline.await("some has come", () -> server.usedBytes() > 0);
      assertTrue(server.usedBytes() - before < 100_000, server.usedBytes() + " bytes held");
      go.countDown();
      assertEquals("5000", wire.answer().text());
    }
  }

  @Test
  void bodyThatIsNotReadIsDiscarded() throws Exception {
    try (RunningServer server =
            Servers.blocking(transport, x -> HttpResponse.text("" + x.body().read()));
        Wire wire = new Wire(server)) {
      for (int i = 0; i < 20; i++) {
        assertEquals("120", wire.send(post(10_000) + "x".repeat(10_000)).answer().text());
      }
    }
  }

  @Test
  void failureIs500AndTheConnectionStays() throws Exception {
    try (RunningServer server =
            Servers.blocking(
                transport,
                x -> {
                  if (x.request().path().equals("/null")) {
                    return null;
                  }
                  throw new IOException("a fault of the handler");
                });
        Wire wire = new Wire(server)) {
      for (String path : new String[] {"/", "/null", "/"}) {
        wire.send("GET " + path + " HTTP/1.1\r\nHost:\r\n\r\n");
        assertEquals(500, wire.answer().status());
      }
    }
  }

  @Test
  void tooManyAtATimeAreTurnedAway() throws Exception {
    CountDownLatch started = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    try (RunningServer server =
            Servers.start(
                transport,
                Blocking.handler(
                    x -> {
                      started.countDown();
                      go.await();
                      return HttpResponse.text("x");
                    },
                    2));
        Wire one = new Wire(server);
        Wire two = new Wire(server)) {
      String get = "GET / HTTP/1.1\r\nHost:\r\n\r\n";
      one.send(get);
      two.send(get);
      started.await();
      Wire.Answer answer = Wire.get(server, "/");
      assertEquals(503, answer.status());
      go.countDown();
      assertEquals("x", one.answer().text());
      assertEquals("x", two.answer().text());
      Baseline.await("room again", () -> ok(server));
    }
  }

  private static boolean ok(RunningServer server) {
    try {
      return Wire.get(server, "/").status() == 200;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void readerIsWokenWhenThePeerGivesUp() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    try (RunningServer server =
        Servers.blocking(
            transport,
            x -> {
              try (InputStream in = x.body()) {
                in.readAllBytes();
              } catch (IOException e) {
                thrown.complete(e);
              }
              return HttpResponse.text("x");
            })) {
      long before = server.usedBytes();
      try (Wire wire = new Wire(server)) {
        wire.send(post(1000) + "x");
      }
      assertInstanceOf(IOException.class, thrown.get(20, TimeUnit.SECONDS));
      Baseline.awaitQuiet(server, before);
    }
  }

  /// A handler that does not wait for its body also ends with its exchange.
  @Test
  void handlerIsInterruptedWhenThePeerIsGone() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CountDownLatch started = new CountDownLatch(1);
    try (RunningServer server =
        Servers.blocking(
            transport,
            x -> {
              started.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                thrown.complete(e);
              }
              return HttpResponse.text("x");
            })) {
      long before = server.usedBytes();
      try (Wire wire = new Wire(server)) {
        wire.send("GET / HTTP/1.1\r\nHost:\r\n\r\n");
        started.await();
      }
      assertInstanceOf(InterruptedException.class, thrown.get(20, TimeUnit.SECONDS));
      Baseline.awaitQuiet(server, before);
    }
  }

  @Test
  void responseIsStreamedWithoutBeingHeld() throws Exception {
    int pieces = 2000;
    byte[] piece = new byte[50_000];
    try (RunningServer server =
        Servers.blocking(
            transport,
            x ->
                HttpResponse.stream(
                    ResponseHead.of(HttpStatus.OK),
                    out -> {
                      for (int i = 0; i < pieces; i++) {
                        out.write(piece);
                      }
                      out.trailers(HttpHeaders.of("x-sum", "1"));
                    }))) {
      long before = server.usedBytes();
      AtomicLong most = new AtomicLong();
      try (Wire wire = new Wire(server)) {
        wire.send("GET / HTTP/1.0\r\n\r\n");
        wire.head();
        // A virtual thread that only yields would keep the others from a single carrier.
        Thread watch =
            Thread.ofPlatform()
                .daemon()
                .start(() -> {
                  while (!Thread.interrupted()) {
                    most.accumulateAndGet(server.usedBytes() - before, Math::max);
                    LockSupport.parkNanos(100_000);
                  }
                });
        assertEquals((long) pieces * piece.length, wire.countToEnd());
        watch.interrupt();
        watch.join();
      }
      assertTrue(most.get() < 2 << 20, most + " bytes held");
      try (Wire wire = new Wire(server)) {
        wire.send("HEAD / HTTP/1.1\r\nHost:\r\n\r\n");
        assertTrue(wire.head().contains("200 OK"));
      }
      Baseline.awaitQuiet(server, before);
    }
  }

  @Test
  void streamThatFailsIsAnIncompleteResponse() throws Exception {
    try (RunningServer server =
            Servers.blocking(
                transport,
                x ->
                    HttpResponse.stream(
                        ResponseHead.of(HttpStatus.OK),
                        out -> {
                          out.write(new byte[10]);
                          out.flush();
                          throw new IOException("a fault of the writer");
                        }));
        Wire wire = new Wire(server)) {
      wire.send("GET / HTTP/1.1\r\nHost:\r\n\r\n");
      wire.head();
      assertEquals("a\r\n" + "\0".repeat(10) + "\r\n", wire.rest());
    }
  }

  @Test
  void trailersAreReadable() throws Exception {
    try (RunningServer server =
            Servers.blocking(
                transport,
                x -> {
                  x.body().readAllBytes();
                  return HttpResponse.text(String.valueOf(x.trailers().get("x-sum")));
                });
        Wire wire = new Wire(server)) {
      wire.send(
          "POST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "1\r\nx\r\n0\r\nX-Sum: 7\r\n\r\n");
      assertEquals("7", wire.answer().text());
    }
  }

  @Test
  void bodyBeyondTheLimitIs413() throws Exception {
    try (RunningServer server =
            Servers.blocking(
                transport,
                x -> {
                  x.limits(ExchangeLimits.DEFAULT.withMaxBody(100));
                  return HttpResponse.text("" + x.body().readAllBytes().length);
                });
        Wire wire = new Wire(server)) {
      assertEquals("100", wire.send(post(100) + "x".repeat(100)).answer().text());
      assertEquals(413, wire.send(post(101) + "x".repeat(101)).answer().status());
    }
  }
}
