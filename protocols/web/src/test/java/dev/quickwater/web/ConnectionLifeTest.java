package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Limits, draining, and the resources that are left after connections have closed.
@ParameterizedClass
@ValueSource(strings = {"nio", "epoll"})
final class ConnectionLifeTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost:\r\n\r\n";

  private final String transport;

  ConnectionLifeTest(String transport) {
    this.transport = transport;
  }

  /// Streams the body back.
  private static final HttpHandler ECHO =
      x -> {
        x.limits(ExchangeLimits.UNLIMITED);
        x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK)));
      };

  @Test
  void connectionsBeyondTheLimitAreClosed() throws Exception {
    try (RunningServer server =
            Servers.start(
                transport, x -> x.respond(HttpResponse.text("x")), s -> s.withMaxConnections(2));
        Wire one = new Wire(server);
        Wire two = new Wire(server)) {
      assertEquals("x", one.send(GET).answer().text());
      assertEquals("x", two.send(GET).answer().text());
      try (Wire three = new Wire(server)) {
        assertTrue(three.ends());
      }
      assertEquals(2, server.connections());
      one.close();
      Baseline.await("room again", () -> server.connections() == 1);
      try (Wire again = new Wire(server)) {
        assertEquals("x", again.send(GET).answer().text());
      }
    }
  }

  @Test
  void drainWaitsForTheBusyAndClosesTheIdle() throws Exception {
    BlockingQueue<HttpExchange> open = new LinkedBlockingQueue<>();
    try (RunningServer server =
            Servers.start(
                transport,
                x -> {
                  if (x.request().path().equals("/wait")) {
                    open.add(x);
                  } else {
                    x.respond(HttpResponse.text("x"));
                  }
                });
        Wire idle = new Wire(server);
        Wire busy = new Wire(server)) {
      idle.send(GET).answer();
      busy.send("GET /wait HTTP/1.1\r\nHost:\r\n\r\n");
      HttpExchange waiting = open.poll(20, TimeUnit.SECONDS);
      CompletableFuture<Boolean> drained = new CompletableFuture<>();
      Thread drain = Thread.ofPlatform().start(() -> drained.complete(server.drain()));
      assertTrue(idle.ends());
      idle.close();
      Baseline.await("only the busy one", () -> server.connections() == 1);
      // When the drain waits, it has notified every connection, including the busy one. The
      // response must follow that.
      Baseline.await("drain waits", () -> drain.getState() == Thread.State.TIMED_WAITING);
      assertFalse(drained.isDone());
      assertThrows(IOException.class, () -> new Wire(server).send(GET).answer());
      waiting.execute(() -> waiting.respond(HttpResponse.text("done")));
      Wire.Answer answer = busy.answer();
      assertEquals("done", answer.text());
      assertEquals("close", answer.field("connection"));
      busy.close();
      assertTrue(drained.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void drainGivesUpAfterItsTimeout() throws Exception {
    try (RunningServer server = Servers.start(transport, _ -> {});
        Wire busy = new Wire(server)) {
      busy.send(GET);
      Baseline.await("connected", () -> server.connections() == 1);
      assertFalse(server.drain(Duration.ofMillis(100)));
      assertTrue(busy.ends());
    }
  }

  @Test
  void echoHoldsLittleHoweverMuchPasses() throws Exception {
    int length = 64 << 20;
    try (RunningServer server = Servers.start(transport, ECHO)) {
      long before = server.usedBytes();
      AtomicLong most = new AtomicLong();
      try (Wire wire = new Wire(server)) {
        wire.send("POST / HTTP/1.0\r\nContent-Length: " + length + "\r\n\r\n");
        Thread sender =
            Thread.ofPlatform()
                .start(() -> {
                  byte[] part = new byte[1 << 16];
                  try {
                    for (int i = 0; i < length / part.length; i++) {
                      wire.send(part);
                      most.accumulateAndGet(server.usedBytes() - before, Math::max);
                    }
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
        wire.head();
        assertEquals(length, wire.countToEnd());
        sender.join();
      }
      assertTrue(most.get() < 2 << 20, most + " bytes held");
      Baseline.awaitQuiet(server, before);
    }
  }

  @Test
  void connectionsCutAtEveryStageLeaveNothing() throws Exception {
    String request =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n0\r\n\r\n"
            + GET;
    try (RunningServer server = Servers.start(transport, ECHO)) {
      long before = server.usedBytes();
      cutAtEveryByte(server, request);
      Baseline.awaitQuiet(server, before);
      int descriptors = Baseline.descriptors();
      cutAtEveryByte(server, request);
      Baseline.awaitQuiet(server, before);
      Baseline.await("descriptors closed", () -> Baseline.descriptors() <= descriptors);
    }
  }

  private static void cutAtEveryByte(RunningServer server, String request) throws IOException {
    for (int at = 0; at <= request.length(); at++) {
      try (Wire wire = new Wire(server)) {
        if (at % 2 == 0) {
          wire.socket.setSoLinger(true, 0); // a reset in the place of an end
        }
        wire.send(request.substring(0, at));
      }
    }
  }

  @Test
  void manyConnectionsAtOnce() throws Exception {
    try (RunningServer server = Servers.start(transport, x -> x.respond(HttpResponse.text("x")))) {
      long before = server.usedBytes();
      List<Wire> wires = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        wires.add(new Wire(server));
      }
      for (Wire wire : wires) {
        wire.send(GET);
      }
      for (Wire wire : wires) {
        assertEquals("x", wire.answer().text());
      }
      assertEquals(500, server.connections());
      assertEquals(before, server.usedBytes(), "idle connections hold buffers");
      for (Wire wire : wires) {
        wire.close();
      }
      Baseline.awaitQuiet(server, before);
    }
  }

  @Test
  void descriptorsAreBackWhenTheServerIsClosed() throws Exception {
    for (int warmUp = 0; warmUp < 2; warmUp++) {
      oneServer();
    }
    int before = Baseline.descriptors();
    oneServer();
    Baseline.await("descriptors closed", () -> Baseline.descriptors() <= before);
  }

  private void oneServer() throws IOException {
    try (RunningServer server = Servers.start(transport, x -> x.respond(HttpResponse.text("x")));
        Wire idle = new Wire(server)) {
      Wire.get(server, "/");
      idle.send(GET).answer();
    }
  }
}
