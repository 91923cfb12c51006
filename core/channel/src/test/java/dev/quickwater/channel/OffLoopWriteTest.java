package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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

/// Messages that other threads write count from the call of `write` on, while the loop is busy.
final class OffLoopWriteTest {

  private static final ChannelSettings SETTINGS =
      ChannelSettings.DEFAULT.withWaterMarks(1000, 2000).withHardLimit(10_000);

  private final List<String> events = new ArrayList<>();
  private int flushes;

  private final ChannelHandler noting =
      new ChannelHandler() {
        @Override
        public void channelWritabilityChanged(HandlerContext context) {
          events.add(context.channel().isWritable() ? "writable" : "unwritable");
        }

        @Override
        public void exceptionCaught(HandlerContext context, Throwable cause) {
          events.add(cause.getMessage());
        }

        @Override
        public void flush(HandlerContext context) {
          flushes++;
          context.flush();
        }
      };

  private EmbeddedChannel open() {
    return new EmbeddedChannel(SETTINGS, c -> c.pipeline().addLast(noting));
  }

  /// Runs on another thread to its end; the loop, which is this thread, does nothing meanwhile.
  private static void elsewhere(Runnable task) {
    Thread thread = Thread.ofPlatform().start(task);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void producerThatObeysIsWritableStopsAtTheHighWaterMark() {
    try (EmbeddedChannel embedded = open()) {
      Channel channel = embedded.channel();
      int[] written = new int[1];
      elsewhere(() -> {
        while (channel.isWritable() && written[0] < 1000) {
          channel.writeAndFlush(ByteBuf.wrap(new byte[100]));
          written[0]++;
        }
      });
      assertEquals(13, written[0], "100 bytes and 64 for the message, up to 2000");
      embedded.runTasks();
      assertTrue(channel.isWritable());
      assertEquals(1300, embedded.takeSent().readableBytes());
      assertEquals("writable", events.getLast());
    }
  }

  @Test
  void hardLimitRefusesTheMessageAtTheCall() {
    try (EmbeddedChannel embedded = open()) {
      Channel channel = embedded.channel();
      Promise<Void> refused = embedded.loop().newPromise();
      elsewhere(() -> {
        channel.write(ByteBuf.wrap(new byte[9000]));
        channel.write(ByteBuf.wrap(new byte[9000]), refused);
      });
      IOException cause = assertInstanceOf(IOException.class, refused.cause());
      assertTrue(cause.getMessage().contains("hardLimit"), cause.getMessage());
      embedded.runTasks();
      assertTrue(embedded.isClosed());
      assertEquals(cause.getMessage(), events.getLast());
    }
  }

  @Test
  void flushesOfOneTurnAreOne() {
    try (EmbeddedChannel embedded = open()) {
      Channel channel = embedded.channel();
      elsewhere(() -> {
        for (int i = 0; i < 10; i++) {
          channel.writeAndFlush(ByteBuf.utf8("x"));
          channel.flush();
        }
      });
      embedded.runTasks();
      assertEquals(1, flushes);
      assertEquals("xxxxxxxxxx", embedded.takeSentText());
    }
  }

  @Test
  void closeComesBehindTheFlushOfTheSameThread() {
    try (EmbeddedChannel embedded = open()) {
      Channel channel = embedded.channel();
      elsewhere(() -> {
        channel.write(ByteBuf.utf8("last"));
        channel.flush();
        channel.close();
      });
      embedded.runTasks();
      assertEquals("last", embedded.takeSentText());
      assertTrue(embedded.isClosed());
      assertEquals(List.of(), events);
    }
  }

  @Test
  void messageThatAHandlerDropsIsNotCountedAnyMore() {
    ChannelHandler dropping =
        new ChannelHandler() {
          @Override
          public void write(HandlerContext context, Object message, Promise<Void> promise) {
            ((ByteBuf) message).release();
          }
        };
    try (EmbeddedChannel embedded =
        new EmbeddedChannel(SETTINGS, c -> c.pipeline().addLast(dropping))) {
      Channel channel = embedded.channel();
      elsewhere(() -> channel.write(ByteBuf.wrap(new byte[3000])));
      assertFalse(channel.isWritable());
      embedded.runTasks();
      assertTrue(channel.isWritable());
    }
  }

  @Test
  void messageThatWasReleasedFailsItsPromise() {
    try (EmbeddedChannel embedded = open()) {
      ByteBuf released = embedded.loop().allocator().allocate(10);
      released.release();
      Promise<Void> promise = embedded.loop().newPromise();
      elsewhere(() -> embedded.channel().writeAndFlush(released, promise));
      embedded.runTasks();
      assertTrue(promise.isDone());
      assertInstanceOf(IllegalStateException.class, promise.cause());
      assertTrue(embedded.channel().isActive());
    }
  }

  @Test
  void producerThatIgnoresRefusalsDoesNotFillTheQueueOfTheLoop() {
    try (EmbeddedChannel embedded = open()) {
      elsewhere(() -> {
        for (int i = 0; i < 1000; i++) {
          embedded.channel().write(ByteBuf.wrap(new byte[20_000]));
        }
      });
      int tasks = embedded.loop().step();
      assertTrue(tasks < 10, tasks + " tasks");
      embedded.runTasks();
      assertTrue(embedded.isClosed());
    }
  }

  /// Holds messages back until a user event, as TLS does during its handshake.
  private static final class Holder implements ChannelHandler {
    private final List<ByteBuf> held = new ArrayList<>();
    private long bytes;

    @Override
    public void write(HandlerContext context, Object message, @Nullable Promise<Void> promise) {
      ByteBuf buffer = (ByteBuf) message;
      held.add(buffer);
      bytes += buffer.readableBytes();
      context.addHeldBytes(buffer.readableBytes());
    }

    @Override
    public void userEvent(HandlerContext context, Object event) {
      held.forEach(context::write);
      context.removeHeldBytes(bytes);
      held.clear();
      context.flush();
    }

    @Override
    public void handlerRemoved(HandlerContext context) {
      held.forEach(ByteBuf::release);
    }
  }

  private static EmbeddedChannel holding(List<String> events) {
    return new EmbeddedChannel(
        SETTINGS,
        c ->
            c.pipeline()
                .addLast(new Holder())
                .addLast(
                    new ChannelHandler() {
                      @Override
                      public void channelWritabilityChanged(HandlerContext context) {
                        events.add(context.channel().isWritable() ? "writable" : "unwritable");
                      }
                    }));
  }

  @Test
  void bytesThatAHandlerHoldsBackCountInWritability() {
    try (EmbeddedChannel embedded = holding(events)) {
      Channel channel = embedded.channel();
      channel.write(ByteBuf.wrap(new byte[1900]));
      assertTrue(channel.isWritable());
      elsewhere(() -> channel.write(ByteBuf.wrap(new byte[200])));
      embedded.runTasks();
      assertFalse(channel.isWritable());
      assertEquals(2100, channel.core().account().pending());
      assertEquals(List.of("unwritable"), events);
      channel.pipeline().fireUserEvent("send");
      embedded.runTasks();
      assertTrue(channel.isWritable());
      assertEquals(0, channel.core().account().pending());
      assertEquals(List.of("unwritable", "writable"), events);
    }
  }

  @Test
  void channelFailsWhenAHandlerHoldsMoreThanTheHardLimit() {
    try (EmbeddedChannel embedded = holding(events)) {
      embedded.channel().write(ByteBuf.wrap(new byte[10_001]));
      Throwable failure = assertThrows(Throwable.class, embedded::runTasks);
      assertTrue(failure.toString().contains("hardLimit"), failure.toString());
    }
  }
}
