package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.ServerHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The events that the handlers of a tunnel receive, and the result of a refused tunnel.
final class TunnelTest {

  private static final String CONNECT = "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n";

  private final List<String> events = new ArrayList<>();

  private final class Recorder implements ChannelHandler {
    @Override
    public void channelActive(HandlerContext at) {
      events.add("active");
    }

    @Override
    public void channelRead(HandlerContext at, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      events.add(bytes.toString(StandardCharsets.US_ASCII));
      bytes.release();
    }

    @Override
    public void channelInputClosed(HandlerContext at) {
      events.add("input closed");
    }

    @Override
    public void userEvent(HandlerContext at, Object event) {
      events.add("event " + event.getClass().getSimpleName());
    }

    @Override
    public void channelInactive(HandlerContext at) {
      events.add("inactive");
    }

    @Override
    public void channelWritabilityChanged(HandlerContext at) {
      events.add("writable " + at.channel().isWritable());
    }
  }

  private void open(HttpExchange x) {
    x.tunnel(HttpHeaders.EMPTY, channel -> channel.pipeline().addLast(new Recorder()));
  }

  @Test
  void bytesBehindTheHeadComeFirst() {
    try (TestServer server = new TestServer(this::open)) {
      server.send(CONNECT + "abc").send("def");
      server.peer.endInput();
      server.peer.runTasks();
      assertEquals(List.of("active", "abc", "def", "input closed"), events);
    }
  }

  @Test
  void upgradeSwitchesProtocols() {
    try (TestServer server = new TestServer(this::open)) {
      server.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: b\r\n\r\nabc");
      server.peer.runTasks();
      assertEquals(List.of("active", "abc"), events);
      assertEquals("HTTP/1.1 101 Switching Protocols", server.sentStatus());
    }
  }

  @Test
  void drainInTheTurnThatOpensTheTunnelIsDelivered() {
    try (TestServer server =
        new TestServer(x ->
            x.tunnel(
                HttpHeaders.EMPTY,
                channel -> {
                  channel.pipeline().addLast(new Recorder());
                  ServerHandler.drain(channel);
                }))) {
      server.send(CONNECT + "abc");
      server.peer.runTasks();
      assertEquals(List.of("active", "abc", "event TunnelDrain"), events);
    }
  }

  @Test
  void drainOfTheConnectionNotifiesItsTunnel() {
    try (TestServer server = TestServer.manual()) {
      HttpExchange x = server.send(CONNECT).last();
      open(x);
      server.peer.runTasks();
      x.connection().drain();
      server.peer.runTasks();
      assertEquals(List.of("active", "event TunnelDrain"), events);
    }
  }

  @Test
  void endOfInputWhileTheTunnelOpensIsDelivered() {
    try (TestServer server = TestServer.manual()) {
      open(server.send(CONNECT + "abc").last());
      server.peer.endInput();
      server.peer.runTasks();
      assertEquals(List.of("active", "abc", "input closed"), events);
    }
  }

  @Test
  void endOfInputBeforeTheTunnelIsDelivered() {
    try (TestServer server = new TestServer(Http1Settings.DEFAULT.withHalfClose(true), _ -> {})) {
      HttpExchange x = server.send(CONNECT + "abc").last();
      server.peer.endInput();
      open(x);
      server.peer.runTasks();
      assertEquals(List.of("active", "abc", "input closed"), events);
    }
  }

  @Test
  void channelThatClosesBeforeTheTunnelBeginsKeepsNoBytes() {
    try (TestServer server = TestServer.manual()) {
      open(server.send(CONNECT + "abc").last());
      server.peer.channel().close();
      server.peer.runTasks();
      assertEquals(List.of(), events);
    }
  }

  @Test
  void handlersOfATunnelSeeItsEnd() {
    try (TestServer server = new TestServer(this::open)) {
      server.send(CONNECT);
      server.peer.channel().close();
      server.peer.runTasks();
      assertEquals(List.of("active", "inactive"), events);
    }
  }

  @Test
  void writabilityIsReportedAfterTheBeginning() {
    try (TestServer server = TestServer.manual()) {
      server.peer.setWindow(0);
      open(server.send(CONNECT).last());
      server.peer.channel().write(ByteBuf.wrap(new byte[1 << 20]));
      server.peer.channel().flush();
      assertEquals(List.of(), events);
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      assertEquals("active", events.getFirst());
    }
  }

  @Test
  void initializerThatFailsClosesTheConnection() {
    for (Throwable fault : List.of(new IllegalStateException("x"), new AssertionError("x"))) {
      try (TestServer server =
          new TestServer(x ->
              x.tunnel(
                  HttpHeaders.EMPTY,
                  _ -> {
                    if (fault instanceof Error e) {
                      throw e;
                    }
                    throw (RuntimeException) fault;
                  }))) {
        server.send(CONNECT + "abc");
        server.assertClosed();
        assertEquals(1, server.outcomes().size());
      }
    }
  }

  @Test
  void tunnelHasNoDeadlinesAndPassesWritability() {
    try (TestServer server = new TestServer(this::open)) {
      server.send(CONNECT).advanceSeconds(1000).assertOpen();
      server.peer.setWindow(0);
      server.peer.channel().write(ByteBuf.wrap(new byte[1 << 20]));
      server.peer.channel().flush();
      server.peer.setWindow(Long.MAX_VALUE);
      assertEquals(List.of("active", "writable false", "writable true"), events);
    }
  }

  @Test
  void bytesBehindARefusedTunnelAreNoRequest() {
    try (TestServer server =
        new TestServer(x -> {
          OutgoingBody out = x.respond(ResponseHead.of(HttpStatus.FORBIDDEN));
          out.write(TestServer.bytes("no"));
          out.end();
        })) {
      server.send(CONNECT + "GET /inside HTTP/1.1\r\nHost: b\r\n\r\n");
      assertTrue(server.sent().contains("connection: close"));
      assertEquals(1, server.exchanges.size());
      server.assertLingers();
    }
  }
}
