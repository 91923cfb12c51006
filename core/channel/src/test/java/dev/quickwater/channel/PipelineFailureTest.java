package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Where failures go.
final class PipelineFailureTest {

  private static final class Catching implements ChannelHandler {
    final List<Throwable> caught = new ArrayList<>();

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      caught.add(cause);
    }
  }

  private static class Throwing implements ChannelHandler {
    final RuntimeException failure = new IllegalStateException("on purpose");

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ((ByteBuf) message).release();
      throw failure;
    }
  }

  @Test
  void exceptionOfAHandlerGoesToTheNextThatCatches() {
    Catching before = new Catching();
    Throwing throwing = new Throwing();
    Catching after = new Catching();
    try (EmbeddedChannel channel = new EmbeddedChannel(before, throwing, after)) {
      channel.send("x");
      assertEquals(List.of(), before.caught);
      assertEquals(List.of(throwing.failure), after.caught);
      assertFalse(channel.isClosed());
    }
  }

  @Test
  void aHandlerCatchesItsOwnFailureFirst() {
    List<Throwable> own = new ArrayList<>();
    Throwing throwing =
        new Throwing() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            own.add(cause);
          }
        };
    Catching after = new Catching();
    try (EmbeddedChannel channel = new EmbeddedChannel(throwing, after)) {
      channel.send("x");
      assertEquals(List.of(throwing.failure), own);
      assertEquals(List.of(), after.caught);
    }
  }

  @Test
  void failureThatNoHandlerTakesClosesTheChannel() {
    Throwing throwing = new Throwing();
    try (EmbeddedChannel channel = new EmbeddedChannel(throwing)) {
      assertSame(throwing.failure, assertThrows(Throwable.class, () -> channel.send("x")));
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void failureOfACatcherCarriesTheFirst() {
    IllegalArgumentException second = new IllegalArgumentException("worse");
    Throwing throwing =
        new Throwing() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            throw second;
          }
        };
    Catching after = new Catching();
    try (EmbeddedChannel channel = new EmbeddedChannel(throwing, after)) {
      channel.send("x");
      assertEquals(List.of(second), after.caught);
      assertSame(throwing.failure, second.getSuppressed()[0]);
    }
  }

  @Test
  void writeThatThrowsFailsItsPromiseOrBecomesAnEvent() {
    Catching catching = new Catching();
    IllegalStateException failure = new IllegalStateException("on purpose");
    ChannelHandler writer =
        new ChannelHandler() {
          @Override
          public void write(
              HandlerContext context, Object message, @Nullable Promise<Void> promise) {
            throw failure;
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(writer, catching)) {
      Promise<Void> promise = channel.loop().newPromise();
      channel.channel().write("x", promise);
      assertSame(failure, promise.cause());
      assertEquals(List.of(), catching.caught);
      channel.channel().write("x");
      assertEquals(List.of(failure), catching.caught);
    }
  }

  @Test
  void closeTakesEffectEvenIfAHandlerThrows() {
    ChannelHandler stubborn =
        new ChannelHandler() {
          @Override
          public void close(HandlerContext context) {
            throw new IllegalStateException("never");
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(stubborn)) {
      channel.channel().close();
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void brokenTransportIsReportedOnce() {
    List<Throwable> caught = new ArrayList<>();
    IOException broken = new IOException("broken");
    Promise<?>[] late = new Promise<?>[1];
    ChannelHandler handler =
        new ChannelHandler() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            caught.add(cause);
            Promise<Void> promise = context.channel().loop().newPromise();
            late[0] = promise;
            context.write(ByteBuf.utf8("too late"), promise);
            context.flush();
            context.close();
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      channel.setWindow(0);
      Promise<Void> pending = channel.loop().newPromise();
      channel.channel().writeAndFlush(ByteBuf.utf8("x"), pending);
      channel.fail(broken);
      channel.fail(new IOException("again"));
      assertEquals(List.of(broken), caught);
      assertSame(broken, pending.cause());
      assertSame(broken, late[0].cause());
    }
  }

  @Test
  void hardLimitInsideAFailureHandlerDoesNotRecurse() {
    int[] caught = new int[1];
    ChannelHandler handler =
        new ChannelHandler() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            caught[0]++;
            context.writeAndFlush(ByteBuf.wrap(new byte[1000]));
          }
        };
    ChannelSettings small = ChannelSettings.DEFAULT.withWaterMarks(10, 10).withHardLimit(100);
    try (EmbeddedChannel channel = new EmbeddedChannel(small, c -> c.pipeline().addLast(handler))) {
      channel.setWindow(0);
      channel.channel().write(ByteBuf.wrap(new byte[200]));
      channel.runTasks();
      assertEquals(1, caught[0]);
      assertTrue(channel.isClosed());
    }
  }
}
