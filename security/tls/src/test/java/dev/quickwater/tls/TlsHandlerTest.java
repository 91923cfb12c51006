package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Two handlers that are connected: what the handlers behind it see, and what the peer sees.
final class TlsHandlerTest {

  private static HandlerPair pair() {
    return new HandlerPair(TestTls.server(), TestTls.client());
  }

  private static ByteBuf text(String text) {
    return ByteBuf.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void handlersSeeTheSessionAndThenTheActiveChannel() {
    try (HandlerPair pair = pair()) {
      assertEquals(List.of(), pair.clientProbe.events);
      assertNull(pair.clientTls.session());
      pair.pump();
      assertEquals(List.of("session", "active"), pair.clientProbe.events);
      assertEquals(List.of("session", "active"), pair.serverProbe.events);
      assertTrue(pair.clientTls.handshake().isSuccess());
      TlsSession session = Objects.requireNonNull(pair.serverTls.session());
      assertEquals("TLSv1.3", session.version());
      assertEquals("localhost", session.serverName());
    }
  }

  @Test
  void messagesWrittenBeforeTheHandshakeWait() {
    try (HandlerPair pair = pair()) {
      Promise<Void> sent = pair.client.loop().newPromise();
      pair.client.channel().write(text("hello "), sent);
      pair.client.channel().writeAndFlush(text("server"));
      assertFalse(sent.isDone());
      pair.pump();
      assertTrue(sent.isSuccess());
      assertEquals("hello server", pair.serverProbe.text.toString());
    }
  }

  @Test
  void heldMessagesCountForWritability() {
    try (HandlerPair pair = pair()) {
      int mark = ChannelSettings.DEFAULT.writes().highWaterMark();
      pair.client.channel().write(ByteBuf.wrap(new byte[mark + 1]));
      assertFalse(pair.client.channel().isWritable());
      pair.client.channel().flush();
      pair.pump();
      assertTrue(pair.client.channel().isWritable());
      assertEquals(mark + 1, pair.serverProbe.bytes);
    }
  }

  @Test
  void onlyFlushedMessagesLeave() {
    try (HandlerPair pair = pair().pump()) {
      pair.client.channel().write(text("a"));
      pair.pump();
      assertEquals("", pair.serverProbe.text.toString());
      pair.client.channel().flush();
      pair.client.channel().write(text("b"));
      pair.pump();
      assertEquals("a", pair.serverProbe.text.toString());
    }
  }

  @Test
  void everySplitOfTheHandshakeCompletes() {
    for (int max : new int[] {1, 2, 3, 5, 7, 100, 1000}) {
      try (HandlerPair pair = pair()) {
        pair.client.channel().writeAndFlush(text("split"));
        pair.pump(max);
        assertEquals("split", pair.serverProbe.text.toString(), "pieces of " + max);
      }
    }
  }

  @Test
  void echoedMegabyteIsUnchanged() {
    try (HandlerPair pair = pair().pump()) {
      pair.serverProbe.echo = true;
      for (int i = 0; i < 16; i++) {
        pair.client.channel().writeAndFlush(ByteBuf.wrap(new byte[64 << 10]));
      }
      pair.pump();
      assertEquals(1 << 20, pair.clientProbe.bytes);
    }
  }

  @Test
  void aPeerThatDoesNotReadHoldsPlaintextAndNotCiphertext() {
    try (HandlerPair pair = pair().pump()) {
      pair.client.setWindow(0);
      Promise<Void> sent = pair.client.loop().newPromise();
      pair.client.channel().writeAndFlush(ByteBuf.wrap(new byte[4 << 20]), sent);
      assertTrue(pair.client.channel().pendingBytes() < 300 << 10);
      assertFalse(pair.client.channel().isWritable());
      pair.client.setWindow(Long.MAX_VALUE);
      pair.pump();
      assertTrue(sent.isSuccess());
      assertEquals(4 << 20, pair.serverProbe.bytes);
      assertTrue(pair.client.channel().isWritable());
    }
  }

  @Test
  void aPauseDoesNotStopTheHandshake() {
    try (HandlerPair pair = pair()) {
      Pause pause = pair.server.channel().pauseReading("test");
      pair.client.channel().writeAndFlush(text("early"));
      pair.pump();
      assertEquals(List.of("session", "active"), pair.serverProbe.events);
      assertEquals("", pair.serverProbe.text.toString());
      pause.close();
      pair.pump();
      assertEquals("early", pair.serverProbe.text.toString());
    }
  }

  @Test
  void aGracefulCloseSendsCloseNotify() {
    try (HandlerPair pair = pair().pump()) {
      pair.client.channel().write(text("bye"));
      pair.client.channel().closeGracefully(Duration.ofSeconds(1), 1000);
      pair.pump();
      assertEquals("bye", pair.serverProbe.text.toString());
      assertTrue(pair.serverProbe.events.contains("input closed"));
      pair.client.endInput();
      assertTrue(pair.client.isClosed());
    }
  }

  @Test
  void anEndWithoutCloseNotifyIsATruncation() {
    try (HandlerPair pair = pair().pump()) {
      pair.server.endInput();
      String last = pair.serverProbe.events.get(2);
      assertTrue(last.startsWith("TlsException: the connection ended without close_notify"), last);
      assertFalse(pair.serverProbe.events.contains("input closed"));
    }
  }

  @Test
  void aHalfClosedConnectionStillReceives() {
    ChannelSettings half = ChannelSettings.DEFAULT.withHalfClose(true);
    try (HandlerPair pair = new HandlerPair(TestTls.server(), TestTls.client(), half).pump()) {
      pair.client.channel().shutdownOutput();
      pair.pump();
      assertTrue(pair.serverProbe.events.contains("input closed"));
      pair.server.channel().writeAndFlush(text("answer"));
      pair.pump();
      assertEquals("answer", pair.clientProbe.text.toString());
    }
  }

  @Test
  void aHandshakeThatTakesTooLongFails() {
    try (HandlerPair pair = pair()) {
      pair.server.advance(Duration.ofSeconds(11));
      TlsException failure = assertInstanceOf(TlsException.class, pair.serverFailure());
      assertTrue(Objects.requireNonNull(failure.getMessage()).contains("handshakeTimeout"));
      assertEquals(List.of(), pair.serverProbe.events);
    }
  }

  @Test
  void plaintextFromThePeerIsRefusedWithAClearError() {
    try (HandlerPair pair = pair()) {
      pair.server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      TlsException failure = assertInstanceOf(TlsException.class, pair.serverFailure());
      assertTrue(Objects.requireNonNull(failure.getMessage()).contains("plaintext"));
      ByteBuf alert = pair.server.takeSent();
      assertEquals(21, alert.getByte(0));
      alert.release();
      pair.server.endInput();
      assertTrue(pair.server.isClosed());
      assertEquals(1, pair.serverContext.metrics().failed());
    }
  }

  @Test
  void aFailedHandshakeFailsWhatWasWritten() {
    try (HandlerPair pair = pair()) {
      Promise<Void> sent = pair.client.loop().newPromise();
      pair.client.channel().writeAndFlush(text("secret"), sent);
      pair.client.send("not TLS at all");
      assertNotNull(sent.cause());
      assertEquals(0, pair.client.channel().pendingBytes() > 1000 ? 1 : 0);
    }
  }

  @Test
  void wrongNameIsRefusedByTheClientAndTheServerReceivesTheAlert() {
    try (HandlerPair pair = new HandlerPair(TestTls.serverFor("other.example"), TestTls.client())) {
      pair.pump();
      TlsException mine = assertInstanceOf(TlsException.class, pair.clientFailure());
      assertEquals(TlsException.Side.LOCAL, mine.side());
      assertEquals(List.of(), pair.clientProbe.events);
      boolean serverOpen = pair.serverProbe.events.contains("active");
      if (serverOpen) { // TLS 1.3: the server is complete before the client is
        assertTrue(pair.serverProbe.events.toString().contains("TlsException"));
      } else {
        assertInstanceOf(TlsException.class, pair.serverFailure());
      }
    }
  }

  @Test
  void aRemovedHandlerReleasesWhatItHolds() {
    try (HandlerPair pair = pair()) {
      pair.client.channel().write(text("held"));
      pair.client.channel().pipeline().remove(pair.clientTls);
      assertNotNull(pair.clientFailure());
    }
  }

  @Test
  void handlerAddedToAnActiveChannelBeginsAtOnce() {
    TlsContext server = TlsContext.server(TestTls.server());
    TlsContext client = TlsContext.client(TestTls.client());
    HandlerPair.Probe serverProbe = new HandlerPair.Probe();
    HandlerPair.Probe clientProbe = new HandlerPair.Probe();
    try (EmbeddedChannel a = new EmbeddedChannel(serverProbe);
        EmbeddedChannel b = new EmbeddedChannel(clientProbe)) {
      b.channel().writeAndFlush(text("STARTTLS\n"));
      HandlerPair.carry(b, a, 100);
      assertEquals("STARTTLS\n", serverProbe.text.toString());
      a.channel().pipeline().addFirst(TlsHandler.server(server));
      b.channel().pipeline().addFirst(TlsHandler.client(client, "localhost", 25));
      while (HandlerPair.carry(b, a, 100) | HandlerPair.carry(a, b, 100)) {}
      b.channel().writeAndFlush(text("secret"));
      HandlerPair.carry(b, a, 100);
      assertEquals("STARTTLS\nsecret", serverProbe.text.toString());
      assertEquals(List.of("active", "session"), serverProbe.events);
    }
    client.close();
    server.close();
  }

  @Test
  void gracefulCloseReadsNoMoreThanItsLimitWhileMessagesWait() {
    try (HandlerPair pair = pair().pump()) {
      pair.server.setWindow(0);
      pair.server.channel().writeAndFlush(ByteBuf.wrap(new byte[4 << 20]));
      pair.server.channel().closeGracefully(Duration.ofSeconds(5), 100_000);
      int sent = 0;
      while (pair.server.isReading() && sent < 4 << 20) {
        pair.client.channel().writeAndFlush(ByteBuf.wrap(new byte[10_000]));
        assertTrue(HandlerPair.carry(pair.client, pair.server, Integer.MAX_VALUE));
        sent += 10_000;
      }
      assertEquals(100_000, sent); // the records are longer than the messages
      pair.server.setWindow(Long.MAX_VALUE);
      pair.pump();
      assertEquals(4 << 20, pair.clientProbe.bytes);
      pair.client.close();
      pair.server.advance(Duration.ofSeconds(5));
      assertTrue(pair.server.isClosed());
    }
  }
}
