package dev.quickwater.channel.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ChannelState;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A million random operations on channels, from the loop, from inside handlers and from another
/// thread, against a model of a channel's life: what is promised ends, what is owned is released,
/// the end comes once, last, and not from inside a handler's call.
final class RandomLifeTest {

  private static final int CHANNELS = 4000;
  private static final int OPERATIONS = 60;

  private static final ChannelSettings SMALL =
      ChannelSettings.DEFAULT.withWaterMarks(300, 600).withHardLimit(5000);

  /// One channel and what is known of it.
  private static final class Life implements ChannelHandler {
    final EmbeddedIo io = new EmbeddedIo();
    final Random inHandlers;
    final Queue<Promise<Void>> promises = new ConcurrentLinkedQueue<>();
    final Queue<ByteBuf> buffers = new ConcurrentLinkedQueue<>();
    final Queue<Pause> pauses = new ConcurrentLinkedQueue<>();
    final List<String> wrong = new ArrayList<>();
    private Channel channel;
    private int depth;
    private int inactive;
    private int removed;
    private int nested;

    Life(long seed) {
      inHandlers = new Random(seed);
    }

    private ByteBuf bytes(Random random) {
      int length = random.nextInt(300);
      ByteBuf buffer = ByteBufAllocator.shared().allocate(Math.max(1, length));
      buffer.writeBytes(new byte[length]);
      buffers.add(buffer);
      return buffer;
    }

    /// What any thread may do.
    void act(Random random) {
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> channel.write(bytes(random));
        case 3, 4 -> {
          Promise<Void> promise = channel.loop().newPromise();
          promises.add(promise);
          channel.writeAndFlush(bytes(random), promise);
        }
        case 5, 6, 7 -> channel.flush();
        case 8, 9 -> pauses.add(channel.pauseReading("test"));
        case 10, 11 -> {
          Pause pause = pauses.poll();
          if (pause != null) {
            pause.close();
          }
        }
        case 12 -> channel.isWritable();
        case 13 -> {
          if (random.nextInt(12) == 0) {
            channel.close();
          }
        }
        case 14 -> {
          if (random.nextInt(8) == 0) {
            channel.shutdownOutput();
          }
        }
        default -> {
          if (random.nextInt(12) == 0) {
            channel.closeGracefully(Duration.ofMillis(random.nextInt(3)), random.nextInt(1000));
          }
        }
      }
    }

    /// What only the loop, the peer and the kernel do.
    void actOnLoop(Random random) {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          ByteBuf sent = bytes(random);
          if (sent.isReadable()) {
            io.send(sent);
          } else {
            sent.release();
          }
        }
        case 3, 4 -> io.setWindow(random.nextInt(1000));
        case 5 -> io.setWindow(Long.MAX_VALUE);
        case 6 -> {
          if (random.nextInt(20) == 0) {
            io.endInput();
          }
        }
        case 7 -> {
          if (random.nextInt(40) == 0) {
            io.fail(new IOException("reset"));
          }
        }
        case 8 -> option();
        default -> act(random);
      }
    }

    private void option() {
      try {
        channel.getOption(StandardSocketOptions.SO_LINGER);
        wrong.add("an option of an embedded channel");
      } catch (UnsupportedOperationException _) {
        check(channel.state() != ChannelState.CLOSED, "option of a closed channel");
      } catch (ClosedChannelException _) {
        check(channel.state() == ChannelState.CLOSED, "option of an open channel refused");
      } catch (IOException e) {
        wrong.add(e.toString());
      }
    }

    private void check(boolean good, String what) {
      if (!good) {
        wrong.add(what);
      }
    }

    private void inside(Runnable event) {
      check(inactive == 0, "an event after inactive");
      depth++;
      event.run();
      if (depth < 4 && nested++ < 200 && inHandlers.nextInt(3) == 0) {
        act(inHandlers);
      }
      depth--;
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      inside(() -> ((ByteBuf) message).release());
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      inside(() -> {});
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      inside(() -> {});
    }

    @Override
    public void channelWritabilityChanged(HandlerContext context) {
      inside(() -> {});
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      inside(() -> {});
    }

    @Override
    public void channelInactive(HandlerContext context) {
      check(depth == 0, "inactive inside a handler's call");
      check(channel.state() == ChannelState.CLOSED, "inactive while open");
      inactive++;
    }

    @Override
    public void handlerRemoved(HandlerContext context) {
      check(depth == 0, "removed inside a handler's call");
      check(inactive == 1, "removed before inactive");
      removed++;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theEndIsOrderlyInEveryOrder(long seed) throws Exception {
    Random random = new Random(seed);
    try (EmbeddedChannel host = new EmbeddedChannel();
        ExecutorService elsewhere = Executors.newSingleThreadExecutor()) {
      for (int i = 0; i < CHANNELS; i++) {
        live(host, elsewhere, random, seed + "/" + i);
      }
    }
  }

  private static void live(
      EmbeddedChannel host, ExecutorService elsewhere, Random random, String name)
      throws Exception {
    Life life = new Life(random.nextLong());
    life.channel =
        Channel.open(
            host.loop(),
            life.io,
            SMALL.withHalfClose(random.nextBoolean()),
            channel -> channel.pipeline().addLast(life));
    Random foreign = new Random(random.nextLong());
    Future<?> others =
        elsewhere.submit(() -> {
          for (int i = 0; i < OPERATIONS / 4; i++) {
            life.act(foreign);
          }
        });
    for (int i = 0; i < OPERATIONS; i++) {
      life.actOnLoop(random);
      if (random.nextInt(4) == 0) {
        host.advance(Duration.ofNanos(random.nextInt(1_000_000)));
      }
      if (life.channel.state() == ChannelState.OPEN && life.channel.outcome() != null) {
        life.wrong.add("an outcome of an open channel");
      }
    }
    others.get();
    life.channel.close();
    host.runTasks();
    life.io.release();
    assertEquals(List.of(), life.wrong, name);
    assertEquals(ChannelState.CLOSED, life.channel.state(), name);
    assertNotNull(life.channel.outcome(), name);
    assertEquals(1, life.inactive, name);
    assertEquals(1, life.removed, name);
    assertTrue(life.channel.closeFuture().isSuccess(), name);
    for (Promise<Void> promise : life.promises) {
      assertTrue(promise.isDone(), name);
    }
    for (ByteBuf buffer : life.buffers) {
      assertFalse(buffer.isLive(), name);
    }
    assertEquals(0, host.loop().metrics().channels() - 1, name);
  }
}
