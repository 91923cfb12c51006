package dev.quickwater.http1;

import static dev.quickwater.http1.TestServer.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.OutgoingBody;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A peer that reads responses slowly, or not at all.
final class SlowReaderTest {

  private static final int LARGE = 200_000;

  private static TestServer large() {
    return new TestServer(x -> x.respond(HttpResponse.text("x".repeat(LARGE))));
  }

  @Test
  void backlogStopsReadingAndItsEndGoesOn() {
    try (TestServer server = large()) {
      server.peer.setWindow(0);
      server.get("/1");
      assertFalse(server.peer.isReading());
      server.get("/2");
      assertEquals(1, server.exchanges.size());
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      assertEquals(2, server.exchanges.size());
      assertTrue(server.peer.isReading());
    }
  }

  @Test
  void onWritableIsCalledWhenThereIsRoom() {
    AtomicInteger calls = new AtomicInteger();
    try (TestServer server = TestServer.manual()) {
      server.peer.setWindow(0);
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(-1));
      assertTrue(body.isWritable());
      body.write(bytes("x".repeat(LARGE)));
      body.onWritable(calls::incrementAndGet);
      assertFalse(body.isWritable());
      server.peer.setWindow(LARGE / 2);
      server.peer.runTasks();
      assertEquals(0, calls.get());
      server.peer.setWindow(LARGE);
      server.peer.runTasks();
      assertEquals(1, calls.get());
      assertTrue(body.isWritable());
    }
  }

  @Test
  void onWritableOfAWritableBodyIsCalledSoonAndOnce() {
    AtomicInteger calls = new AtomicInteger();
    try (TestServer server = TestServer.manual()) {
      OutgoingBody body = server.get("/").last().respond(TestServer.head(-1));
      body.onWritable(calls::incrementAndGet);
      assertEquals(0, calls.get());
      server.peer.runTasks();
      assertEquals(1, calls.get());
      server.peer.runTasks();
      assertEquals(1, calls.get());
    }
  }

  /// A producer that writes in onWritable while there is room. With a kernel that accepts
  /// everything at once, no call may run during another one.
  @Test
  void producerDoesNotRecurse() {
    int pieces = 20_000;
    AtomicInteger left = new AtomicInteger(pieces);
    AtomicInteger depth = new AtomicInteger();
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(-1));
      String piece = "x".repeat(100_000);
      byte[] memory = Parsing.bytes(piece);
      Runnable producer =
          new Runnable() {
            @Override
            public void run() {
              assertEquals(1, depth.incrementAndGet());
              if (left.decrementAndGet() > 0) {
                body.write(dev.quickwater.buffer.ByteBuf.wrap(memory));
                body.onWritable(this);
                if (left.get() % 100 == 0) {
                  server.peer.takeSent();
                }
              } else {
                body.end();
              }
              depth.decrementAndGet();
            }
          };
      producer.run();
      for (int i = 0; i < 2 * pieces && left.get() > 0; i++) {
        server.peer.runTasks();
      }
      assertEquals(0, left.get());
      server.assertOpen();
    }
  }

  @Test
  void takingLessThanTheRateIsCutOff() {
    try (TestServer server = large()) {
      server.peer.setWindow(0);
      server.get("/");
      for (int i = 0; i < 10 && !server.peer.isClosed(); i++) {
        server.advanceSeconds(10);
        server.peer.setWindow(1000);
      }
      server.assertClosed();
    }
  }

  @Test
  void takingMoreThanTheRateIsNot() {
    try (TestServer server = large()) {
      server.peer.setWindow(0);
      server.get("/");
      for (int i = 0; i < 60; i++) {
        server.advanceSeconds(10);
        server.peer.setWindow(4000);
        server.assertOpen();
      }
    }
  }

  @Test
  void smallResponsesToAPeerThatTakesThemAllAreNeverTooSlow() {
    try (TestServer server = TestServer.paths()) {
      for (int i = 0; i < 50; i++) {
        server.peer.setWindow(0);
        server.get("/");
        server.advanceSeconds(8);
        server.peer.setWindow(1000);
        server.assertOpen();
      }
    }
  }

  @Test
  void keepAliveDoesNotCutALongResponse() {
    try (TestServer server = large()) {
      server.peer.setWindow(0);
      server.get("/");
      for (int i = 0; i < 20; i++) {
        server.advanceSeconds(10);
        server.peer.setWindow(4000);
      }
      server.assertOpen();
      server.peer.setWindow(Long.MAX_VALUE);
      server.advanceSeconds(75);
      assertTrue(server.sent().endsWith("xxx"));
      server.assertLingers();
    }
  }

  @Test
  void closingWaitsUntilEverythingIsSent() {
    try (TestServer server = large()) {
      server.peer.setWindow(0);
      server.send("GET / HTTP/1.0\r\n\r\n");
      for (int i = 0; i < 20; i++) {
        server.advanceSeconds(10);
        server.peer.setWindow(4000);
        assertFalse(server.peer.isClosed() || server.peer.isOutputEnded());
      }
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      assertTrue(server.sent().endsWith("xxx"));
      server.assertLingers();
    }
  }

  @Test
  void floodIntoAClosingConnectionEnds() {
    try (TestServer server = large()) {
      server.peer.setWindow(0);
      server.send("GET / HTTP/1.0\r\n\r\n");
      for (int i = 0; i < 100; i++) {
        server.send("x".repeat(10_000));
      }
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      server.advanceSeconds(5);
      server.assertClosed();
    }
  }

  /// The connection closes during a write, while the writer is about to use its next buffer.
  @Test
  void hardLimitInsideWriteLeavesNoBufferBehind() {
    ChannelSettings small = ChannelSettings.DEFAULT.withHalfClose(true).withHardLimit(128 << 10);
    try (TestServer server = new TestServer(Http1Settings.DEFAULT, small, _ -> {})) {
      server.peer.setWindow(0);
      HttpExchange x = server.get("/").last();
      OutgoingBody body = x.respond(TestServer.head(-1));
      for (int i = 0; i < 400; i++) {
        body.write(bytes("x".repeat(1000)));
      }
      server.peer.runTasks();
      assertTrue(server.peer.isClosed());
    }
  }
}
