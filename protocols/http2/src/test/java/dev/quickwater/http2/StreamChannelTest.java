package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server's tunnel on a stream (RFC 9113 section 8.5), driven by frames.
final class StreamChannelTest {

  private static final int WINDOW = Windows.PROTOCOL_INITIAL;

  private final TunnelNotes tunnel = new TunnelNotes();
  private final TunnelPeer peer = new TunnelPeer(tunnel.server());

  @AfterEach
  void close() {
    peer.close();
  }

  private void open() throws Http2Exception {
    peer.connect(1);
    assertEquals(List.of("headers 1"), peer.answers(1));
    assertEquals(List.of("active"), tunnel.take());
  }

  // ---- both directions ----

  @Test
  void dataPassesInBothDirections() throws Http2Exception {
    open();
    peer.data(1, "hello");
    assertEquals(List.of("hello", "turn"), tunnel.take());
    tunnel.write("world");
    assertEquals(List.of("data 1 world padding 0"), peer.answers(1));
  }

  @Test
  void framesOfOneReadAreOneReadTurn() throws Http2Exception {
    open();
    byte[] frame = Frame.of(Frames.DATA, 0, 1, Blocks.bytes("x"));
    peer.send(frame, frame, frame);
    assertEquals(List.of("x", "x", "x", "turn"), tunnel.take());
  }

  @Test
  void paddingIsNotDelivered() throws Http2Exception {
    open();
    peer.send(Frame.of(Frames.DATA, Frames.PADDED, 1, "02 61 62 0000"));
    assertEquals(List.of("ab", "turn"), tunnel.take());
  }

  @Test
  void bytesBeforeTheResponseAreDelivered() throws Http2Exception {
    List<HttpExchange> waiting = new ArrayList<>();
    try (TunnelPeer early = new TunnelPeer(waiting::add)) {
      early.connect(1).data(1, "ea").data(1, "rly").end(1);
      tunnel.server().handle(waiting.getFirst());
      assertEquals(List.of("headers 1"), early.answers(1));
      assertEquals(List.of("active", "early", "turn", "input closed"), tunnel.take());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  // ---- half-close ----

  @Test
  void endOfThePeersDirectionLeavesOursOpen() throws Http2Exception {
    open();
    peer.send(Frame.of(Frames.DATA, Frames.END_STREAM, 1, Blocks.bytes("last")));
    assertEquals(List.of("last", "turn", "input closed"), tunnel.take());
    tunnel.write("more");
    assertEquals(List.of("data 1 more padding 0"), peer.answers(1));
    tunnel.channel().shutdownOutput();
    assertEquals(List.of("data 1  end padding 0"), peer.answers(1));
    assertEquals(List.of("inactive"), tunnel.take());
    assertTrue(peer.isConnected());
  }

  @Test
  void endOfOurDirectionLeavesThePeersOpen() throws Http2Exception {
    open();
    tunnel.write("last");
    tunnel.channel().shutdownOutput();
    assertEquals(
        "data 1 last end padding 0",
        String.join("", peer.answers(1)).replace(" padding 0data 1 ", ""));
    peer.data(1, "still");
    assertEquals(List.of("still", "turn"), tunnel.take());
    peer.end(1);
    assertEquals(List.of("input closed", "inactive"), tunnel.take());
    assertEquals(List.of(), peer.answers(1));
  }

  @Test
  void gracefulCloseAwaitsThePeer() throws Http2Exception {
    open();
    tunnel.write("bye");
    tunnel.channel().closeGracefully(Duration.ofSeconds(5), 1 << 20);
    assertTrue(String.join(" ", peer.answers(1)).contains("end"));
    peer.data(1, "dropped").end(1);
    assertEquals(List.of(), peer.answers(1));
    assertEquals(List.of("inactive"), tunnel.take());
  }

  // ---- the end ----

  @Test
  void closeBeforeTheEndResetsTheStream() throws Http2Exception {
    open();
    tunnel.channel().close();
    assertEquals(List.of("reset 1 CANCEL"), peer.answers(1));
    assertEquals(List.of("inactive"), tunnel.take());
    peer.data(1, "late");
    assertTrue(peer.isConnected());
    peer.connect(3);
    assertEquals(List.of("headers 3"), peer.answers(3));
  }

  @Test
  void resetOfThePeerFailsTheChannelAndNamesTheCode() throws Http2Exception {
    open();
    peer.reset(1, ErrorCode.CONNECT_ERROR);
    assertEquals(
        List.of("IOException: the peer has reset the stream with CONNECT_ERROR", "inactive"),
        tunnel.take());
    assertEquals(List.of(), peer.answers(1));
    assertFalse(tunnel.channel().isActive());
  }

  @Test
  void resetFailsUnsentWrites() throws Http2Exception {
    peer.initialWindow(0);
    open();
    Promise<Void> promise = tunnel.channel().loop().newPromise();
    tunnel.channel().writeAndFlush(ByteBuf.wrap(new byte[100]), promise);
    peer.answers();
    assertFalse(promise.isDone());
    peer.reset(1, ErrorCode.CANCEL);
    assertTrue(promise.isDone());
    assertFalse(promise.isSuccess());
  }

  @Test
  void endOfTheConnectionFailsTheTunnel() throws Http2Exception {
    open();
    peer.closeConnection();
    assertEquals(
        List.of("IOException: the connection of the tunnel has closed", "inactive"), tunnel.take());
  }

  @Test
  void errorOfTheConnectionFailsTheTunnel() throws Http2Exception {
    open();
    peer.send(Frame.of(Frames.PING, 0, 1, new byte[8]));
    assertEquals(
        List.of("IOException: the stream was reset with PROTOCOL_ERROR", "inactive"),
        tunnel.take());
  }

  @Test
  void headerBlockInATunnelIsAnError() throws Http2Exception {
    open();
    peer.request(1, "x-trailer: 1");
    assertEquals(List.of("reset 1 PROTOCOL_ERROR"), peer.answers(1));
    assertEquals(
        List.of("IOException: the stream was reset with PROTOCOL_ERROR", "inactive"),
        tunnel.take());
  }

  @Test
  void failureOfTheInitializerResetsTheStream() throws Http2Exception {
    try (TunnelPeer other =
        new TunnelPeer(x ->
            x.tunnel(
                HttpHeaders.EMPTY,
                _ -> {
                  throw new IllegalStateException("expected by the test");
                }))) {
      other.connect(1);
      List<String> answers = other.answers(1);
      assertEquals("headers 1", answers.getFirst());
      assertEquals("reset 1 INTERNAL_ERROR", answers.getLast());
      assertTrue(other.isConnected());
    }
  }

  @Test
  void handlerMayCloseWhileItIsActivated() throws Http2Exception {
    try (TunnelPeer other = new TunnelPeer(x -> x.tunnel(HttpHeaders.EMPTY, Channel::close))) {
      other.connect(1);
      assertEquals(List.of("headers 1", "reset 1 CANCEL"), other.answers(1));
    }
  }

  // ---- back-pressure ----

  @Test
  void pausedReadingReturnsNoCredit() throws Http2Exception {
    open();
    tunnel.pause();
    for (int sent = 0; sent < WINDOW; sent += WINDOW / 5) {
      peer.send(Frame.of(Frames.DATA, 0, 1, new byte[WINDOW / 5]));
    }
    assertEquals(List.of(), peer.answers(1));
    assertEquals(List.of(), tunnel.take());
    tunnel.resume();
    assertEquals(List.of("window 1 " + WINDOW), peer.answers(1));
    assertEquals(List.of("read " + WINDOW, "turn"), tunnel.take());
  }

  @Test
  void peerThatIgnoresThePauseIsReset() throws Http2Exception {
    open();
    tunnel.pause();
    for (int sent = 0; sent < WINDOW; sent += WINDOW / 5) {
      peer.send(Frame.of(Frames.DATA, 0, 1, new byte[WINDOW / 5]));
    }
    peer.data(1, "x");
    assertEquals(List.of("reset 1 FLOW_CONTROL_ERROR"), peer.answers(1));
    assertEquals(
        List.of("IOException: the stream was reset with FLOW_CONTROL_ERROR", "inactive"),
        tunnel.take());
  }

  /// If reading is paused during a delivery, the credit of that piece returns with the next one.
  @Test
  void pauseInsideOfADeliveryHoldsItsCredit() throws Http2Exception {
    open();
    peer.data(1, "x");
    peer.send(Frame.of(Frames.DATA, 0, 1, new byte[16_000]));
    tunnel.pause();
    peer.send(Frame.of(Frames.DATA, 0, 1, new byte[16_000]));
    peer.send(Frame.of(Frames.DATA, 0, 1, new byte[16_000]));
    assertEquals(List.of(), peer.answers(1));
    tunnel.resume();
    assertEquals(List.of("window 1 48001"), peer.answers(1));
  }

  @Test
  void closedWindowMakesTheChannelUnwritable() throws Http2Exception {
    peer.initialWindow(0);
    open();
    byte[] block = new byte[1 << 20];
    Promise<Void> promise = tunnel.channel().loop().newPromise();
    tunnel.channel().writeAndFlush(ByteBuf.wrap(block), promise);
    assertEquals(List.of("unwritable"), tunnel.take());
    assertEquals(List.of(), peer.answers(1));
    peer.window(1, 1 << 20);
    peer.answers();
    assertFalse(promise.isDone(), "the window of the connection is used up");
    while (!promise.isDone()) {
      peer.window(0, 60_000);
      peer.answers();
    }
    assertTrue(promise.isSuccess());
    assertEquals(List.of("writable"), tunnel.take());
    assertEquals(0, tunnel.channel().pendingBytes());
  }

  @Test
  void manyPiecesArriveInOrder() throws Http2Exception {
    peer.initialWindow(7);
    open();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      tunnel.channel().write(ByteBuf.wrap(Blocks.bytes(i + ",")));
      expected.append(i).append(',');
      if (i % 3 == 0) {
        tunnel.channel().flush();
      }
    }
    tunnel.channel().shutdownOutput();
    StringBuilder received = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      peer.answers(1).forEach(line -> received.append(line.split(" ", 4)[2]));
      peer.window(1, 3);
    }
    assertEquals(expected.toString(), received.toString());
  }

  @Test
  void peerThatOpensNoWindowStallsTheTunnelAlone() throws Http2Exception {
    peer.initialWindow(0);
    open();
    tunnel.write("stuck");
    peer.answers();
    peer.advance(Duration.ofSeconds(29));
    assertEquals(List.of(), tunnel.take());
    peer.advance(Duration.ofSeconds(2));
    assertTrue(tunnel.take().getFirst().startsWith("SocketTimeoutException"));
    assertEquals(List.of("reset 1 CANCEL"), peer.answers(1));
    assertTrue(peer.isConnected());
  }

  @Test
  void quietTunnelStaysOpen() throws Http2Exception {
    open();
    peer.advance(Duration.ofHours(3));
    assertEquals(List.of(), tunnel.take());
    peer.data(1, "awake");
    assertEquals(List.of("awake", "turn"), tunnel.take());
  }

  // ---- messages ----

  @Test
  void emptyMessageIsSentWithoutAFrame() throws Http2Exception {
    open();
    Promise<Void> promise = tunnel.channel().loop().newPromise();
    tunnel.channel().writeAndFlush(ByteBuf.wrap(), promise);
    assertEquals(List.of(), peer.answers(1));
    assertTrue(promise.isSuccess());
  }

  @Test
  void cancelledMessageIsNotSent() throws Http2Exception {
    open();
    Promise<Void> promise = tunnel.channel().loop().newPromise();
    tunnel.channel().write(ByteBuf.wrap(Blocks.bytes("never")), promise);
    promise.cancel();
    tunnel.write("sent");
    assertEquals(List.of("data 1 sent padding 0"), peer.answers(1));
  }

  @Test
  void filesAreSentInOrder(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("file");
    byte[] content = new byte[300_000];
    Arrays.fill(content, (byte) 'f');
    Files.write(file, content);
    open();
    peer.window(1, 1 << 20).window(0, 1 << 20);
    Promise<Void> promise = tunnel.channel().loop().newPromise();
    tunnel.channel().write(ByteBuf.wrap(Blocks.bytes("<")));
    tunnel
        .channel()
        .write(new FileRegion(ChannelFileSource.open(file), 0, content.length), promise);
    tunnel.write(">");
    StringBuilder received = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      peer.answers(1).forEach(line -> received.append(line.split(" ", 4)[2]));
    }
    assertEquals("<" + "f".repeat(content.length) + ">", received.toString());
    assertTrue(promise.isSuccess());
  }

  // ---- RFC 8441 ----

  @Test
  void extendedConnectOpensAWebSocket() throws Http2Exception {
    assertTrue(peer.answers().contains("setting 8 1"), "SETTINGS_ENABLE_CONNECT_PROTOCOL");
    peer.request(
        1,
        ":method: CONNECT",
        ":protocol: websocket",
        ":scheme: http",
        ":path: /chat",
        ":authority: server.test",
        "sec-websocket-version: 13");
    assertEquals(List.of("headers 1"), peer.answers(1));
    assertEquals(List.of("active"), tunnel.take());
    peer.data(1, "frame");
    assertEquals(List.of("frame", "turn"), tunnel.take());
  }

  @Test
  void otherVersionOfWebSocketIsRefused() throws Http2Exception {
    peer.request(
        1,
        ":method: CONNECT",
        ":protocol: websocket",
        ":scheme: http",
        ":path: /chat",
        ":authority: server.test",
        "sec-websocket-version: 8");
    assertEquals("headers 1", peer.answers(1).getFirst());
    assertEquals(List.of(), tunnel.take());
  }

  @Test
  void connectMayBeRefused() throws Http2Exception {
    try (TunnelPeer other =
        new TunnelPeer(x -> x.respond(HttpResponse.text(HttpStatus.FORBIDDEN, "no")))) {
      other.connect(1);
      assertEquals(List.of("headers 1", "data 1 no end padding 0"), other.answers(1));
    }
  }
}
