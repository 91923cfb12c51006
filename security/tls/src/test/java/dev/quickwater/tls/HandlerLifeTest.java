package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import dev.quickwater.junit.NoLeaks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How a connection ends, and what a handler may do in each of its callbacks.
@NoLeaks
final class HandlerLifeTest {

  private static final Duration LIMIT = Duration.ofSeconds(1);

  private static HandlerPair pair() {
    return new HandlerPair(TestTls.server(), TestTls.client());
  }

  private static ByteBuf text(String text) {
    return ByteBuf.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  /// A file with this many bytes.
  private static FileSource file(int size) {
    return shrunk(size, size);
  }

  /// A file that has become shorter since it was opened.
  private static FileSource shrunk(int opened, int size) {
    return new FileSource() {
      @Override
      public int read(long position, ByteBuf target, int length) {
        int part = (int) Math.min(length, size - position);
        if (part <= 0) {
          return -1;
        }
        target.ensureWritable(part).writeBytes(new byte[part]);
        return part;
      }

      @Override
      public long size() {
        return opened;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void theEndOfThePeerFollowsItsDataAfterAPause() {
    try (HandlerPair pair = pair()) {
      Pause pause = pair.server.channel().pauseReading("test");
      pair.client.channel().write(text("last words"));
      pair.client.channel().closeGracefully(LIMIT, 1000);
      pair.pump();
      assertFalse(pair.serverProbe.events.contains("input closed"));
      pause.close();
      pair.pump();
      assertEquals("last words", pair.serverProbe.text.toString());
      assertTrue(pair.serverProbe.events.contains("input closed"));
    }
  }

  @Test
  void aFileThatCannotBeReadIsATruncationForThePeer() {
    try (HandlerPair pair = pair().pump()) {
      pair.serverProbe.ignoresFailures = true;
      pair.server.channel().write(new FileRegion(shrunk(5000, 1000), 0, 5000));
      pair.server.channel().closeGracefully(LIMIT, 1000);
      pair.pump();
      assertFalse(pair.clientProbe.events.contains("input closed"));
      pair.client.endInput();
      assertTrue(pair.clientProbe.events.toString().contains("without close_notify"));
      assertEquals(0, pair.server.channel().pendingBytes());
    }
  }

  @Test
  void aFailureDoesNotStopAGracefulClose() {
    try (HandlerPair pair = pair().pump()) {
      pair.clientProbe.ignoresFailures = true;
      pair.client.setWindow(0);
      pair.client.channel().write(ByteBuf.wrap(new byte[1 << 20]));
      pair.client.channel().closeGracefully(LIMIT, 1000);
      pair.client.send("this is not a record");
      pair.client.setWindow(Long.MAX_VALUE);
      pair.client.runTasks().advance(LIMIT.multipliedBy(2));
      assertTrue(pair.client.isClosed());
    }
  }

  @Test
  void aMessageAfterTheEndDoesNotFailTheHandshake() {
    try (HandlerPair pair = pair()) {
      pair.clientProbe.ignoresFailures = true;
      pair.client.channel().write(text("in time"));
      pair.client.channel().closeGracefully(LIMIT, 1000);
      pair.client.channel().write(text("too late"));
      pair.pump();
      assertEquals("in time", pair.serverProbe.text.toString());
      assertTrue(pair.serverProbe.events.contains("input closed"));
    }
  }

  @Test
  void anEndOfTheOutputDoesNotReplaceAGracefulClose() {
    try (HandlerPair pair = pair().pump()) {
      pair.client.setWindow(0);
      pair.client.channel().write(ByteBuf.wrap(new byte[1 << 20]));
      pair.client.channel().closeGracefully(LIMIT, 1000);
      pair.client.channel().shutdownOutput();
      pair.client.setWindow(Long.MAX_VALUE);
      pair.client.runTasks().advance(LIMIT.multipliedBy(2));
      assertTrue(pair.client.isClosed());
    }
  }

  @Test
  void emptyMessagesAreSent() {
    try (HandlerPair pair = pair().pump()) {
      Promise<Void> buffer = pair.client.loop().newPromise();
      Promise<Void> composite = pair.client.loop().newPromise();
      Promise<Void> file = pair.client.loop().newPromise();
      pair.client.channel().write(ByteBuf.wrap(new byte[0]), buffer);
      pair.client.channel().write(CompositeByteBuf.of(), composite);
      pair.client.channel().writeAndFlush(new FileRegion(file(10), 10, 0), file);
      pair.pump();
      assertTrue(buffer.isSuccess());
      assertTrue(composite.isSuccess());
      assertTrue(file.isSuccess(), () -> String.valueOf(file.cause()));
      assertEquals(0, pair.client.channel().pendingBytes());
    }
  }

  @Test
  void everyKindOfMessageIsCountedOnce() {
    try (HandlerPair pair = pair().pump()) {
      pair.client.setWindow(0);
      List<Promise<Void>> promises = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Promise<Void> promise = pair.client.loop().newPromise();
        promises.add(promise);
        ByteBuf a = ByteBuf.wrap(new byte[i * 1000]);
        pair.client
            .channel()
            .write(
                switch (i % 3) {
                  case 0 -> a;
                  case 1 -> CompositeByteBuf.of(a, text("end"));
                  default -> {
                    a.release();
                    yield new FileRegion(file(i * 3000), 0, i * 3000L);
                  }
                },
                promise);
      }
      pair.client.channel().flush();
      for (int i = 50; i < 100; i += 7) {
        promises.get(i).cancel();
      }
      pair.client.setWindow(Long.MAX_VALUE);
      pair.pump();
      assertEquals(0, pair.client.channel().pendingBytes());
      for (Promise<Void> promise : promises) {
        assertTrue(promise.isDone());
      }
    }
  }

  @Test
  void handlersThatDidNotSeeTheChannelActiveDoNotSeeItInactive() {
    try (HandlerPair pair = pair()) {
      pair.serverProbe.ignoresFailures = true;
      pair.serverProbe.onSession =
          at -> at.channel().writeAndFlush(new FileRegion(shrunk(20, 10), 0, 20));
      pair.pump();
      pair.server.channel().close();
      pair.pump();
      boolean active = pair.serverProbe.events.contains("active");
      assertEquals(active, pair.serverProbe.events.contains("inactive"));
    }
  }

  @Test
  void aMessageThatWasReleasedFailsTheConnection() {
    try (HandlerPair pair = pair().pump()) {
      ByteBuf released = text("released");
      Promise<Void> promise = pair.client.loop().newPromise();
      pair.client.channel().write(released, promise);
      pair.client.channel().write(text("after"));
      released.release();
      pair.client.channel().flush();
      pair.pump();
      assertNotNull(promise.cause());
      assertTrue(pair.clientProbe.events.getLast().contains("inactive"));
      assertEquals("", pair.serverProbe.text.toString());
      assertEquals(0, pair.client.channel().pendingBytes());
    }
  }

  @Test
  void aRemovedHandlerLeavesThePauseOfTheProgram() {
    try (HandlerPair pair = pair()) {
      Pause pause = pair.server.channel().pauseReading("test");
      assertTrue(pair.server.isReading());
      pair.server.channel().pipeline().remove(pair.serverTls);
      assertFalse(pair.server.isReading());
      pause.close();
      assertTrue(pair.server.isReading());
    }
  }

  private enum Callback {
    HANDSHAKE,
    SESSION,
    ACTIVE,
    READ,
    READ_COMPLETE,
    SENT,
    WRITABILITY,
    INPUT_CLOSED,
    EXCEPTION
  }

  private enum Action {
    CLOSE,
    CLOSE_GRACEFULLY,
    CLOSE_AFTER_FLUSH,
    SHUTDOWN_OUTPUT,
    PAUSE,
    REMOVE
  }

  /// Performs an action in one callback, with writes around it.
  private static final class Acting implements ChannelHandler {
    private final Callback when;
    private final Action action;
    private final TlsHandler tls;
    private final List<Promise<Void>> promises = new ArrayList<>();
    private int depth;
    private int actions;

    Acting(Callback when, Action action, TlsHandler tls) {
      this.when = when;
      this.action = action;
      this.tls = tls;
    }

    private void event(Callback event, HandlerContext at) {
      if (event != when || actions == 3) {
        return;
      }
      actions++;
      depth++;
      assertTrue(depth < 10);
      write(at);
      switch (action) {
        case CLOSE -> at.channel().close();
        case CLOSE_GRACEFULLY -> at.channel().closeGracefully(LIMIT, 1000);
        case CLOSE_AFTER_FLUSH -> at.channel().closeAfterFlush();
        case SHUTDOWN_OUTPUT -> at.channel().shutdownOutput();
        case PAUSE -> at.channel().pauseReading("test");
        case REMOVE -> {
          if (at.pipeline().find(TlsHandler.class) != null) {
            at.pipeline().remove(tls);
          }
        }
      }
      write(at);
      depth--;
    }

    void write(HandlerContext at) {
      if (action == Action.REMOVE && actions > 0 && depth > 0) {
        return; // would be plaintext
      }
      Promise<Void> promise = at.channel().loop().newPromise();
      promises.add(promise);
      promise.onComplete(_ -> event(Callback.SENT, at));
      at.channel().writeAndFlush(ByteBuf.wrap(new byte[100_000]), promise);
    }

    @Override
    public void handlerAdded(HandlerContext at) {
      tls.handshake().onComplete(_ -> event(Callback.HANDSHAKE, at));
    }

    @Override
    public void userEvent(HandlerContext at, Object event) {
      event(Callback.SESSION, at);
    }

    @Override
    public void channelActive(HandlerContext at) {
      event(Callback.ACTIVE, at);
      write(at);
    }

    @Override
    public void channelRead(HandlerContext at, Object message) {
      ((ByteBuf) message).release();
      event(Callback.READ, at);
    }

    @Override
    public void channelReadComplete(HandlerContext at) {
      event(Callback.READ_COMPLETE, at);
    }

    @Override
    public void channelWritabilityChanged(HandlerContext at) {
      event(Callback.WRITABILITY, at);
    }

    @Override
    public void channelInputClosed(HandlerContext at) {
      event(Callback.INPUT_CLOSED, at);
    }

    @Override
    public void exceptionCaught(HandlerContext at, Throwable cause) {
      event(Callback.EXCEPTION, at);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyActionIsPossibleInEveryCallback(Callback when) {
    for (Action action : Action.values()) {
      for (int end = 0; end < 4; end++) {
        act(when, action, end);
      }
    }
  }

  private static void act(Callback when, Action action, int end) {
    String name = when + " " + action + " " + end;
    TlsContext server = TlsContext.server(TestTls.server());
    TlsContext client = TlsContext.client(TestTls.client());
    TlsHandler serverTls = TlsHandler.server(server);
    TlsHandler clientTls = TlsHandler.client(client, "localhost", 1);
    Acting serverActs = new Acting(when, action, serverTls);
    Acting clientActs = new Acting(when, action, clientTls);
    try (EmbeddedChannel a = new EmbeddedChannel(serverTls, serverActs);
        EmbeddedChannel b = new EmbeddedChannel(clientTls, clientActs)) {
      b.setWindow(150_000);
      for (int i = 0; i < 50; i++) {
        HandlerPair.carry(b, a, 3000);
        HandlerPair.carry(a, b, 3000);
        if (end == 3 && i == 1) {
          a.send("this is not a record");
        }
      }
      b.setWindow(Long.MAX_VALUE);
      for (int i = 0; i < 50; i++) {
        HandlerPair.carry(b, a, 3000);
        HandlerPair.carry(a, b, 3000);
      }
      switch (end) {
        case 0 -> a.endInput();
        case 1 -> b.channel().closeGracefully(LIMIT, 1000);
        case 2 -> b.fail(new java.io.IOException("reset"));
        default -> a.channel().shutdownOutput();
      }
      for (int i = 0; i < 50; i++) {
        HandlerPair.carry(b, a, 3000);
        HandlerPair.carry(a, b, 3000);
      }
      b.channel().close();
      a.channel().close();
      b.runTasks().advance(LIMIT.multipliedBy(2));
      a.runTasks().advance(LIMIT.multipliedBy(2));
      assertTrue(a.isClosed(), name);
      assertTrue(b.isClosed(), name);
      assertTrue(serverTls.handshake().isDone(), name);
      assertTrue(clientTls.handshake().isDone(), name);
      serverActs.promises.forEach(p -> assertTrue(p.isDone(), name));
      clientActs.promises.forEach(p -> assertTrue(p.isDone(), name));
      assertEquals(0, a.channel().pendingBytes(), name);
      assertEquals(0, b.channel().pendingBytes(), name);
      a.takeUnhandled();
      b.takeUnhandled();
    }
    client.close();
    server.close();
  }
}
