package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.http.HttpHeaders;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random use of many tunnels on one connection: bytes arrive in order and once, directions end
/// once, and nothing is left.
final class TunnelModelTest {

  private static final int RUNS = 1_000;
  private static final int STEPS = 300;

  /// One end of a tunnel.
  private static final class End implements ChannelHandler {
    @Nullable Channel channel;
    @Nullable End other;
    @Nullable Pause pause;
    long written;
    long received;
    boolean ended;
    boolean inputEnded;
    boolean closed;
    boolean inactive;
    int failures;

    /// The first failure that is not the result of a close.
    @Nullable Throwable broken;

    Channel channel() {
      assertNotNull(channel);
      return channel;
    }

    @Override
    public void handlerAdded(HandlerContext context) {
      channel = context.channel();
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      assertTrue(pause == null, "a paused channel is read");
      assertFalse(inputEnded);
      ByteBuf bytes = (ByteBuf) message;
      for (int left = bytes.readableBytes(); left > 0; left--) {
        assertEquals((byte) (received++ * 31), bytes.readByte());
      }
      bytes.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      assertFalse(inputEnded, "the input ends twice");
      inputEnded = true;
      assertNotNull(other);
      assertTrue(other.ended);
      assertEquals(other.written, received);
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      failures++;
      assertNotNull(other);
      boolean explained = cause instanceof IOException && (closed || other.closed);
      if (!explained && broken == null) {
        broken = cause;
      }
    }

    @Override
    public void channelInactive(HandlerContext context) {
      assertFalse(inactive, "the channel ends twice");
      inactive = true;
    }

    void write(int length) {
      byte[] block = new byte[length];
      for (int i = 0; i < length; i++) {
        block[i] = (byte) (written++ * 31);
      }
      channel().write(ByteBuf.wrap(block));
    }
  }

  private static final class Run {
    final Random random;
    final ArrayDeque<End> arriving = new ArrayDeque<>();
    final List<End> ends = new ArrayList<>();
    final TunnelPair pair;

    Run(long seed) throws Exception {
      random = new Random(seed);
      pair =
          new TunnelPair(
              x -> x.tunnel(HttpHeaders.EMPTY, made -> made.pipeline().addLast(arriving.remove())));
    }

    void open() {
      End near = new End();
      End far = new End();
      near.other = far;
      far.other = near;
      arriving.add(far);
      pair.open(TunnelPair.connect(), made -> made.pipeline().addLast(near));
      ends.add(near);
      ends.add(far);
    }

    void step() {
      End end = ends.get(random.nextInt(ends.size()));
      if (end.channel == null || end.inactive || end.closed) {
        pair.host.loop().step();
        return;
      }
      switch (random.nextInt(16)) {
        case 0 -> {
          if (ends.size() < 12) {
            open();
          }
        }
        case 1 -> {
          if (end.pause == null) {
            end.pause = end.channel().pauseReading("test");
          }
        }
        case 2, 3, 4 -> resume(end);
        case 5 -> {
          if (random.nextInt(4) == 0) {
            end.closed = true;
            end.channel().close();
          }
        }
        case 6 -> shutdown(end);
        case 7, 8, 9 -> {
          if (!end.ended && end.channel().isWritable()) {
            end.write(random.nextInt(random.nextBoolean() ? 50 : 70_000));
          }
        }
        case 10, 11 -> end.channel().flush();
        default -> {
          for (int i = random.nextInt(5); i > 0; i--) {
            pair.host.loop().step();
          }
        }
      }
    }

    void resume(End end) {
      if (end.pause != null) {
        end.pause.close();
        end.pause = null;
      }
    }

    void shutdown(End end) {
      if (!end.ended) {
        end.ended = true;
        end.channel().shutdownOutput();
      }
    }

    /// Ends everything in order.
    void quiet() {
      pair.run();
      for (End end : ends) {
        if (!end.inactive && !end.closed) {
          resume(end);
          shutdown(end);
        }
      }
      pair.run();
      for (End end : ends) {
        if (end.broken != null) {
          throw new AssertionError(end.broken);
        }
        assertNotNull(end.other);
        assertTrue(end.inactive, "a channel is open");
        if (!end.closed && !end.other.closed) {
          assertTrue(end.inputEnded);
          assertEquals(0, end.failures);
          assertEquals(end.other.written, end.received);
        }
      }
      Http2ClientEngine engine = pair.client.engine();
      assertEquals(0, engine.streamCount());
      assertEquals(0, engine.receiveFlow.unread());
      assertEquals(0, engine.sendFlow.queued());
      assertFalse(engine.sendFlow.isBlocked());
      assertTrue(engine.canOpen());
    }
  }

  @Test
  void tunnelsFollowTheModel() throws Exception {
    for (int seed = 0; seed < RUNS; seed++) {
      Run run = new Run(seed);
      try (TunnelPair _ = run.pair) {
        run.open();
        run.pair.run();
        for (int i = 0; i < STEPS; i++) {
          run.step();
        }
        run.quiet();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
