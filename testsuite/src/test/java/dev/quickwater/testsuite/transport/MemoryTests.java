package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.channel.Channel;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http1.Http1Settings;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// An allocation fails on a loop. The connection that needed it fails with that reason or
/// continues. The loop and its other connections are not affected.
abstract class MemoryTests extends TransportTest {

  private final LinkedBlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

  private Channel nextAccepted() throws InterruptedException {
    Channel channel = accepted.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (channel == null) {
      throw new AssertionError("no connection was accepted");
    }
    return channel;
  }

  /// Makes the `at`-th allocation from now fail on a channel's loop.
  ///
  /// @return true once the allocation has failed
  private static AtomicBoolean fail(Channel on, int at) {
    AtomicBoolean failed = new AtomicBoolean();
    AtomicInteger left = new AtomicInteger(at);
    probe(
        on,
        () -> {
          if (left.decrementAndGet() == 0) {
            failed.set(true);
            throw new OutOfMemoryError("the fault of this test");
          }
        });
    return failed;
  }

  private static void probe(Channel on, @org.jspecify.annotations.Nullable Runnable probe) {
    run(on, () -> Heaps.probe(probe));
  }

  @Test
  void receiveBufferThatFailsEndsItsChannelAlone() throws Exception {
    needsSockets();
    Recorder recorder = new Recorder();
    AtomicBoolean first = new AtomicBoolean(true);
    Channel server =
        listen(
            DEFAULT,
            channel -> {
              accepted.add(channel);
              channel.pipeline().addLast(first.getAndSet(false) ? recorder : new Echo());
            });
    Socket failing = rawConnect(server);
    Recorder.await(recorder.active);
    Channel channel = nextAccepted();
    AtomicBoolean failed = fail(channel, 1);
    failing.getOutputStream().write('x');
    Recorder.await(recorder.inactive);
    assertTrue(failed.get());
    assertInstanceOf(OutOfMemoryError.class, recorder.failures.getFirst());
    assertEquals("", received(failing, "nothing"));
    probe(channel, null);
    for (int i = 0; i < group.loops().size(); i++) {
      Socket other = rawConnect(server);
      other.getOutputStream().write("echo".getBytes(StandardCharsets.US_ASCII));
      assertEquals("echo", received(other, "echo"));
    }
  }

  @Test
  void anyAllocationOfAnHttpConnectionMayFail() throws Exception {
    Channel server =
        listen(
            DEFAULT.withHalfClose(true),
            channel -> {
              channel
                  .pipeline()
                  .addLast(new Http1ServerHandler(Http1Settings.DEFAULT, MemoryTests::serve));
              accepted.add(channel);
            });
    int at = 1;
    while (requestsWithFault(server, at)) {
      for (int i = 0; i < group.loops().size(); i++) {
        Socket fresh = rawConnect(server);
        nextAccepted();
        send(fresh, get("/end"));
        assertTrue(received(fresh, "the end\n").endsWith("the end\n"));
        fresh.close();
      }
      at++;
    }
    assertTrue(at > 4, "only " + at + " allocations were made");
  }

  /// @return false if fewer allocations were made
  private boolean requestsWithFault(Channel server, int at) throws Exception {
    Socket socket = rawConnect(server);
    Channel channel = nextAccepted();
    AtomicBoolean failed = fail(channel, at);
    String text = "";
    try {
      for (String request : REQUESTS) {
        send(socket, request);
      }
      text = received(socket, "the end\n");
    } catch (SocketException e) {
      assertTrue(failed.get(), e.toString()); // the server has closed with a request unread
    }
    assertTrue(failed.get() || text.endsWith("the end\n"), text);
    try {
      probe(channel, null);
    } finally {
      socket.close();
    }
    await(channel.closeFuture());
    return failed.get();
  }

  private static final String[] REQUESTS = {
    get("/1") + get("/2"),
    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + "x".repeat(2000),
    "x".repeat(3000),
    "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    get("/end")
  };

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  private static void serve(HttpExchange x) {
    switch (x.request().path()) {
      case "/end" -> x.respond(HttpResponse.text("the end\n"));
      case "/echo" -> echo(x);
      default -> x.respond(HttpResponse.text(x.request().path()));
    }
  }

  private static void echo(HttpExchange x) {
    x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK)));
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /// The input until `last` has arrived or the server has closed.
  private static String received(Socket socket, String last) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] some = new byte[4096];
    int read;
    while (text.indexOf(last) < 0 && (read = readOrEnd(socket, some)) > 0) {
      text.append(new String(some, 0, read, StandardCharsets.US_ASCII));
    }
    return text.toString();
  }

  private static int readOrEnd(Socket socket, byte[] some) throws IOException {
    try {
      return socket.getInputStream().read(some);
    } catch (SocketException _) {
      return -1; // a reset is an end, too
    }
  }
}
