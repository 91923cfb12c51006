package dev.quickwater.channel;

import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.common.Promise;
import dev.quickwater.common.VirtualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIJ_Result;

/// Messages of another thread race flushes, the close of the channel and the end of its loop: each
/// message ends once, and no cost is left.
public class OffLoopStress {

  private OffLoopStress() {}

  /// A message that counts how often its owner has closed it.
  private static final class Counted implements AutoCloseable {
    private int closed;

    @Override
    public synchronized void close() {
      closed++;
    }

    synchronized int closed() {
      return closed;
    }
  }

  /// Counts a cost of 100 for a message until it is flushed or lost.
  private static final class CountingIo extends QuietIo {
    private static final int COST = 100;

    private @Nullable ChannelEvents events;
    private final ArrayDeque<Object> queued = new ArrayDeque<>();

    @Override
    public void attach(ChannelEvents receiver) {
      events = receiver;
    }

    @Override
    public void write(Object message, @Nullable Promise<Void> promise) {
      queued.add(message);
      Objects.requireNonNull(events).account().add(COST);
    }

    @Override
    public void flush() {
      drop();
      Objects.requireNonNull(events).drained();
    }

    private void drop() {
      @Nullable Object message;
      while ((message = queued.poll()) != null) {
        ((Counted) message).close();
        Objects.requireNonNull(events).account().remove(COST);
      }
    }

    @Override
    public int abandon(Throwable cause) {
      int lost = queued.size();
      drop();
      return lost;
    }
  }

  /// The loop, stepped by one actor.
  @State
  public static class Loop {

    private final EventLoop loop = EventLoop.stepped(new IdlePoller(), new VirtualClock());
    private volatile @Nullable Channel channel;
    private final Counted first = new Counted();
    private final Counted second = new Counted();

    void open() {
      turn();
      try {
        channel = Channel.open(loop, new CountingIo(), ChannelSettings.DEFAULT, _ -> {});
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    void turn() {
      loop.step();
    }

    void write() {
      @Nullable Channel open = channel;
      if (open == null) { // too early
        first.close();
        second.close();
      } else {
        open.write(first);
        open.writeAndFlush(second);
      }
    }

    void close() {
      @Nullable Channel open = channel;
      if (open != null) {
        open.close();
      }
    }

    void end() {
      loop.shutdown(Duration.ZERO);
      loop.endStepped();
    }

    void count(IIJ_Result result) {
      result.r1 = first.closed();
      result.r2 = second.closed();
      result.r3 = Objects.requireNonNull(channel).core().account().pending();
    }
  }

  /// The loop takes turns while the other thread writes, then ends without patience.
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "each ended once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a message or a cost is lost, or counted twice")
  @State
  public static class WriteRacesTheEndOfTheLoop extends Loop {

    @Actor
    public void loop() {
      open();
      turn();
      end();
    }

    @Actor
    public void producer() {
      write();
    }

    @Arbiter
    public void ended(IIJ_Result result) {
      count(result);
    }
  }

  /// Another thread closes the channel while a third writes.
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "each ended once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a message or a cost is lost, or counted twice")
  @State
  public static class WriteRacesClose extends Loop {

    @Actor
    public void loop() {
      open();
      turn();
      turn();
      end();
    }

    @Actor
    public void producer() {
      write();
    }

    @Actor
    public void closer() {
      close();
    }

    @Arbiter
    public void ended(IIJ_Result result) {
      count(result);
    }
  }
}
