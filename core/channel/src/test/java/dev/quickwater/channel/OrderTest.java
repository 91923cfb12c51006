package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// No handler is called inside its own call by what it caused, and a close reports everything.
final class OrderTest {

  /// Notes its events; tests override what they need.
  private static class Noting implements ChannelHandler {
    final List<String> events = new ArrayList<>();

    @Override
    public void channelInactive(HandlerContext context) {
      events.add("inactive");
    }

    @Override
    public void handlerRemoved(HandlerContext context) {
      events.add("removed");
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      events.add("exception " + cause.getMessage());
    }
  }

  @Test
  void handlerThatClosesInItsLoopFinishesTheLoopBeforeItIsRemoved() {
    Noting decoder =
        new Noting() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            while (in.isReadable()) {
              events.add("message " + (char) in.readByte());
              context.close();
            }
            in.release();
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(decoder)) {
      channel.send("abc");
      assertTrue(channel.isClosed());
      assertEquals(
          List.of("message a", "message b", "message c", "inactive", "removed"), decoder.events);
    }
  }

  @Test
  void peerIsDisconnectedBeforeTheHandlersAreNotified() {
    Noting handler = new Noting();
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      channel.channel().close();
      assertTrue(channel.isClosed());
      assertEquals(ChannelState.CLOSED, channel.channel().state());
      assertEquals(List.of(), handler.events);
      channel.runTasks();
      assertEquals(List.of("inactive", "removed"), handler.events);
    }
  }

  /// Fills the channel up whenever it is writable, as often as it may.
  private static final class Producer implements ChannelHandler {
    int left = 20_000;
    int depth;
    int maxDepth;

    @Override
    public void channelWritabilityChanged(HandlerContext context) {
      maxDepth = Math.max(maxDepth, ++depth);
      while (left > 0 && context.channel().isWritable()) {
        left--;
        context.write(ByteBuf.wrap(new byte[200]));
      }
      context.flush();
      depth--;
    }
  }

  @Test
  void producerThatFillsUpWheneverItIsWritableDoesNotNest() {
    Producer producer = new Producer();
    ChannelSettings small = ChannelSettings.DEFAULT.withWaterMarks(100, 100);
    try (EmbeddedChannel channel =
        new EmbeddedChannel(small, c -> c.pipeline().addLast(producer))) {
      int[] tasks = new int[1];
      channel
          .loop()
          .execute(
              new Runnable() {
                @Override
                public void run() {
                  tasks[0]++;
                  if (producer.left > 0) {
                    channel.loop().execute(() -> {});
                    channel.loop().schedule(this, java.time.Duration.ZERO);
                  }
                }
              });
      channel.channel().writeAndFlush(ByteBuf.wrap(new byte[200]));
      channel.runTasks();
      assertEquals(0, producer.left);
      assertTrue(producer.maxDepth <= 2, "depth " + producer.maxDepth);
      assertTrue(tasks[0] > 1000, tasks[0] + " tasks ran meanwhile");
    }
  }

  @Test
  void failureOfAFlushIsReportedWhenTheHandlerHasFinished() {
    Noting handler =
        new Noting() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            ((ByteBuf) message).release();
            context.write(ByteBuf.wrap(new byte[1000]));
            events.add("written");
          }
        };
    ChannelSettings small = ChannelSettings.DEFAULT.withWaterMarks(10, 10).withHardLimit(100);
    try (EmbeddedChannel channel = new EmbeddedChannel(small, c -> c.pipeline().addLast(handler))) {
      channel.send("x");
      assertEquals("written", handler.events.getFirst());
      assertTrue(handler.events.get(1).contains("hardLimit"), handler.events.toString());
      assertEquals(List.of("inactive", "removed"), handler.events.subList(2, 4));
    }
  }

  @Test
  void listenerOfAWriteRunsBehindTheDrain() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new Noting())) {
      List<String> order = new ArrayList<>();
      Promise<Void> first = channel.loop().newPromise();
      Promise<Void> second = channel.loop().newPromise();
      first.onComplete(_ -> {
        order.add("first, pending " + channel.channel().pendingBytes());
        channel.channel().writeAndFlush(ByteBuf.utf8("c"));
        order.add("end of first");
      });
      second.onComplete(_ -> order.add("second"));
      channel.channel().write(ByteBuf.utf8("a"), first);
      channel.channel().write(ByteBuf.utf8("b"), second);
      channel.channel().flush();
      assertEquals(List.of("first, pending 0", "end of first", "second"), order);
      assertEquals("abc", channel.takeSentText());
    }
  }

  // ---- messages that are not sent ----

  @Test
  void writesBeforeTheChannelIsOpenFail() {
    AtomicReference<Promise<Void>> early = new AtomicReference<>();
    Noting handler = new Noting();
    ByteBuf lost = ByteBuf.utf8("early");
    try (EmbeddedChannel channel =
        new EmbeddedChannel(
            ChannelSettings.DEFAULT,
            c -> {
              c.pipeline().addLast(handler);
              Promise<Void> promise = c.loop().newPromise();
              early.set(promise);
              c.writeAndFlush(ByteBuf.utf8("early"), promise);
              c.writeAndFlush(lost);
            })) {
      channel.runTasks();
      assertInstanceOf(NotYetConnectedException.class, early.get().cause());
      assertEquals(List.of("exception null"), handler.events);
      assertEquals("", channel.takeSentText());
    }
  }

  @Test
  void writesWithoutPromiseThatAreLostAreReportedByOneEvent() {
    AtomicReference<Throwable> caught = new AtomicReference<>();
    Noting handler =
        new Noting() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            super.exceptionCaught(context, cause);
            caught.set(cause);
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      channel.setWindow(0);
      Promise<Void> promise = channel.loop().newPromise();
      channel.channel().writeAndFlush(ByteBuf.utf8("a"));
      channel.channel().write(ByteBuf.utf8("b"), promise);
      channel.channel().close();
      channel.channel().write(ByteBuf.utf8("c"));
      channel.runTasks();
      LostMessagesException lost = assertInstanceOf(LostMessagesException.class, caught.get());
      assertEquals(2, lost.count());
      assertSame(lost.getCause(), promise.cause());
      assertEquals(
          List.of("exception 2 messages were not sent before the close", "inactive", "removed"),
          handler.events);
    }
  }

  @Test
  void handlerThatAnswersAFailureWithAMessageThatFailsIsNotifiedOnce() {
    int[] caught = new int[1];
    ChannelHandler handler =
        new ChannelHandler() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            caught[0]++;
            context.writeAndFlush(released());
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      channel.channel().write(released());
      channel.runTasks();
      assertEquals(1, caught[0]);
      assertFalse(channel.isClosed());
    }
  }

  /// A message that fails alone.
  private static ByteBuf released() {
    ByteBuf buffer = ByteBuf.utf8("x");
    buffer.release();
    return buffer;
  }

  @Test
  void nullIsRefusedAtTheCall() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      assertThrows(NullPointerException.class, () -> channel.channel().write(null));
      assertThrows(NullPointerException.class, () -> channel.channel().writeAndFlush(null));
    }
  }

  // ---- the end ----

  @Test
  void outcomeNamesTheReasonOfTheEnd() {
    EmbeddedChannel closed = new EmbeddedChannel();
    assertNull(closed.channel().outcome());
    closed.close();
    assertEquals(new Outcome(Outcome.Kind.CLOSED, null), closed.channel().outcome());
    EmbeddedChannel left = new EmbeddedChannel();
    left.endInput();
    left.close();
    assertEquals(new Outcome(Outcome.Kind.PEER_ENDED, null), left.channel().outcome());
    EmbeddedChannel broken = new EmbeddedChannel();
    IOException reset = new IOException("reset");
    broken.fail(reset);
    broken.close();
    assertEquals(new Outcome(Outcome.Kind.FAILED, reset), broken.channel().outcome());
    EmbeddedChannel loop = new EmbeddedChannel();
    loop.loop().endStepped();
    loop.close();
    assertEquals(new Outcome(Outcome.Kind.LOOP_ENDED, null), loop.channel().outcome());
  }

  @Test
  void closeAfterFlushSendsEverythingAndDoesNotWaitForThePeer() {
    Noting handler = new Noting();
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      channel.setWindow(3);
      channel.channel().write(ByteBuf.utf8("hello"));
      channel.channel().closeAfterFlush();
      channel.runTasks();
      assertFalse(channel.isClosed());
      channel.setWindow(10);
      assertTrue(channel.isClosed());
      assertEquals("hello", channel.takeSentText());
      assertEquals(List.of("inactive", "removed"), handler.events);
      assertEquals(new Outcome(Outcome.Kind.CLOSED, null), channel.channel().outcome());
    }
  }

  @Test
  void optionsOfAClosedChannelAreRefused() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.channel().close();
      assertThrows(
          ClosedChannelException.class,
          () -> channel.channel().setOption(StandardSocketOptions.SO_LINGER, 0));
      assertThrows(
          ClosedChannelException.class,
          () -> channel.channel().getOption(StandardSocketOptions.SO_LINGER));
    }
  }

  @Test
  void messageThatIsLostWhenAHandlerClosesAfterAFailureIsReported() {
    Noting handler =
        new Noting() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            context.write(message);
            context.channel().core().failed(new IOException("reset"));
            context.close();
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      channel.send("lost");
      assertTrue(handler.events.getFirst().startsWith("exception"), handler.events.toString());
    }
  }

  @Test
  void closeAfterAnUnreportedFailureKeepsTheFailureAsTheOutcome() {
    IOException reset = new IOException("reset");
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.channel().core().failed(reset);
      channel.channel().close();
      channel.runTasks();
      assertEquals(new Outcome(Outcome.Kind.FAILED, reset), channel.channel().outcome());
    }
  }
}
