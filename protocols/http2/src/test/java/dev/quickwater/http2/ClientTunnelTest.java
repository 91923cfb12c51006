package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tunnels from our client to our server.
final class ClientTunnelTest {

  private final TunnelNotes near = new TunnelNotes();
  private final TunnelNotes far = new TunnelNotes();

  private void initialize(Channel made) {
    made.pipeline().addLast(near);
  }

  private TunnelPair opened() throws Exception {
    TunnelPair pair = new TunnelPair(far.server());
    pair.open(TunnelPair.connect(), this::initialize);
    pair.run();
    assertEquals(List.of("active"), near.take());
    assertEquals(List.of("active"), far.take());
    return pair;
  }

  @Test
  void bytesPassInBothDirections() throws Exception {
    try (TunnelPair pair = opened()) {
      near.write("ping");
      pair.run();
      assertEquals(List.of("ping", "turn"), far.take());
      far.write("pong");
      pair.run();
      assertEquals(List.of("pong", "turn"), near.take());
      assertEquals(HttpStatus.OK, pair.responses.getFirst().status());
    }
  }

  @Test
  void drainOfTheServerIsAnEventOnBothSides() throws Exception {
    try (TunnelPair pair = opened()) {
      HttpConnection connection = pair.serverConnection();
      connection.drain();
      pair.run();
      assertEquals(List.of("event TunnelDrain"), far.take());
      assertEquals(List.of("event TunnelDrain"), near.take());
      near.write("last");
      pair.run();
      assertEquals(List.of("last", "turn"), far.take());
      assertFalse(connection.closed().isDone());
      far.channel().close();
      pair.run();
      assertTrue(connection.closed().isDone(), "the connection ends with its last tunnel");
    }
  }

  @Test
  void drainOfTheClientIsAnEvent() throws Exception {
    try (TunnelPair pair = opened()) {
      pair.client.connection().drain();
      pair.run();
      assertEquals(List.of("event TunnelDrain"), near.take());
    }
  }

  @Test
  void tunnelThatOpensDuringTheDrainReceivesTheEvent() throws Exception {
    List<HttpExchange> waiting = new ArrayList<>();
    try (TunnelPair pair = new TunnelPair(waiting::add)) {
      pair.open(TunnelPair.connect(), this::initialize);
      pair.run();
      waiting.getFirst().connection().drain();
      pair.run();
      far.server().handle(waiting.getFirst());
      pair.run();
      assertEquals(List.of("active", "event TunnelDrain"), far.take());
      assertEquals(List.of("active", "event TunnelDrain"), near.take());
    }
  }

  @Test
  void exchangeOfTheClientIsNotifiedOfTheDrain() throws Exception {
    List<HttpExchange> waiting = new ArrayList<>();
    int[] drains = {0};
    try (TunnelPair pair = new TunnelPair(waiting::add)) {
      pair.client
          .connection()
          .open(RequestHead.get("http://a/"))
          .onComplete(x -> x.value().onDrain(() -> drains[0]++));
      pair.run();
      waiting.getFirst().connection().drain();
      pair.run();
      assertEquals(1, drains[0]);
    }
  }

  @Test
  void directionsEndSeparately() throws Exception {
    try (TunnelPair pair = opened()) {
      near.channel().shutdownOutput();
      pair.run();
      assertEquals(List.of("input closed"), far.take());
      far.write("answer");
      far.channel().shutdownOutput();
      pair.run();
      assertEquals(List.of("answer", "turn", "input closed", "inactive"), near.take());
      assertEquals(List.of("inactive"), far.take());
      assertTrue(pair.client.canOpen());
    }
  }

  @Test
  void closeOfTheClientIsAResetForTheServer() throws Exception {
    try (TunnelPair pair = opened()) {
      near.channel().close();
      pair.run();
      assertEquals(
          List.of("IOException: the peer has reset the stream with CANCEL", "inactive"),
          far.take());
      assertEquals(List.of("inactive"), near.take());
    }
  }

  @Test
  void closeOfTheServerIsAResetForTheClient() throws Exception {
    try (TunnelPair pair = opened()) {
      far.channel().close();
      pair.run();
      assertEquals(
          List.of("IOException: the peer has reset the stream with CANCEL", "inactive"),
          near.take());
    }
  }

  /// The server has ended its direction, and then refuses ours.
  @Test
  void resetAfterTheEndFailsTheChannel() throws Exception {
    try (TunnelPair pair = opened()) {
      far.channel().shutdownOutput();
      pair.run();
      assertEquals(List.of("input closed"), near.take());
      far.channel().close();
      pair.run();
      assertEquals(
          List.of("IOException: the peer has reset the stream with CANCEL", "inactive"),
          near.take());
    }
  }

  @Test
  void refusedTunnelIsAnOrdinaryResponse() throws Exception {
    try (TunnelPair pair =
        new TunnelPair(x -> x.respond(HttpResponse.text(HttpStatus.FORBIDDEN, "no")))) {
      pair.open(TunnelPair.connect(), this::initialize);
      pair.run();
      assertEquals(HttpStatus.FORBIDDEN, pair.responses.getFirst().status());
      assertEquals(List.of(), near.take());
    }
  }

  /// The two connections of a proxy: while one side does not read, the other does not send.
  @Test
  void pausedReaderStopsTheWriterAndOthersContinue() throws Exception {
    HttpHandler[] handlers = {far.server()};
    try (TunnelPair pair = new TunnelPair(x -> handlers[0].handle(x))) {
      pair.open(TunnelPair.connect(), this::initialize);
      pair.run();
      far.pause();
      byte[] block = new byte[64 << 10];
      int written = 0;
      while (near.channel().isWritable()) {
        near.channel().writeAndFlush(ByteBuf.wrap(block));
        written += block.length;
        pair.run();
      }
      assertTrue(written <= 512 << 10, "written " + written);
      assertTrue(near.channel().pendingBytes() > 0);

      TunnelNotes other = new TunnelNotes();
      TunnelNotes answers = new TunnelNotes();
      handlers[0] = answers.server();
      pair.open(TunnelPair.connect(), made -> made.pipeline().addLast(other));
      pair.run();
      other.write("not stopped");
      pair.run();
      assertTrue(answers.take().contains("not stopped"));

      far.resume();
      pair.run();
      assertEquals(0, near.channel().pendingBytes());
      assertTrue(near.channel().isWritable());
    }
  }

  @Test
  void extendedConnectWaitsForTheSettings() throws Exception {
    try (TunnelPair pair = new TunnelPair(far.server())) {
      pair.open(
          RequestHead.builder(HttpMethod.GET, "http://server.test/chat")
              .protocol("websocket")
              .add("sec-websocket-version", "13")
              .build(),
          this::initialize);
      pair.run();
      assertEquals(List.of("active"), far.take());
      near.write("frame");
      pair.run();
      assertEquals(List.of("frame", "turn"), far.take());
    }
  }

  @Test
  void serverWithoutExtendedConnectReceivesNoRequest() {
    Http2ClientHandler client = new Http2ClientHandler(Http2Settings.DEFAULT);
    try (EmbeddedChannel channel = new EmbeddedChannel(client)) {
      Future<ClientExchange> opened =
          client
              .connection()
              .open(
                  RequestHead.builder(HttpMethod.GET, "http://server.test/chat")
                      .protocol("websocket")
                      .build());
      channel.runTasks();
      assertFalse(opened.isDone(), "the settings of the server are not known");
      channel.send(ByteBuf.wrap(Frame.of(Frames.SETTINGS, 0, 0)));
      assertInstanceOf(UnsupportedOperationException.class, opened.cause());
      assertTrue(client.canOpen());
    }
  }

  /// Sends back all received bytes, and pauses reading while its channel is not writable.
  private static final class Echo implements ChannelHandler {
    private @Nullable Pause pause;

    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.write(message);
      context.flush();
    }

    @Override
    public void channelWritabilityChanged(HandlerContext context) {
      if (!context.channel().isWritable()) {
        pause = context.channel().pauseReading("echo");
      } else if (pause != null) {
        pause.close();
        pause = null;
      }
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      context.channel().shutdownOutput();
    }
  }

  /// Counts the bytes that return.
  private static final class Counter implements ChannelHandler {
    long received;
    boolean ended;
    @Nullable Channel channel;

    @Override
    public void handlerAdded(HandlerContext context) {
      channel = context.channel();
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      for (int left = bytes.readableBytes(); left > 0; left--) {
        assertEquals((byte) received++, bytes.readByte());
      }
      bytes.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      ended = true;
    }
  }

  @Test
  void echoOfManyBytesKeepsLittleInMemory() throws Exception {
    long size = 32 << 20;
    HttpHandler echo =
        x -> x.tunnel(HttpHeaders.EMPTY, made -> made.pipeline().addLast(new Echo()));
    try (TunnelPair pair = new TunnelPair(echo)) {
      Counter counter = new Counter();
      pair.open(TunnelPair.connect(), made -> made.pipeline().addLast(counter));
      pair.run();
      Channel channel = counter.channel;
      assertNotNull(channel);
      long written = 0;
      long maxHeld = 0;
      while (written < size) {
        while (channel.isWritable() && written < size) {
          byte[] block = new byte[(int) Math.min(10_007, size - written)];
          for (int i = 0; i < block.length; i++) {
            block[i] = (byte) written++;
          }
          channel.write(ByteBuf.wrap(block));
        }
        channel.flush();
        assertTrue(pair.host.loop().step() >= 0);
        maxHeld = Math.max(maxHeld, written - counter.received);
      }
      channel.shutdownOutput();
      pair.run();
      assertEquals(size, counter.received);
      assertTrue(counter.ended);
      assertTrue(maxHeld < 4 << 20, "bytes on their way: " + maxHeld);
      assertFalse(channel.isActive());
    }
  }
}
