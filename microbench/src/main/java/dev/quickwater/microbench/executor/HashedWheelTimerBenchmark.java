package dev.quickwater.microbench.executor;

import dev.quickwater.common.HashedWheelTimer;
import dev.quickwater.common.ThreadExecutor;
import dev.quickwater.common.Timer;
import dev.quickwater.common.WheelSettings;
import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What does a coarse timer cost among a hundred thousand?
///
/// A hundred thousand idle timeouts wait. One of them, at a place drawn beforehand, is cancelled
/// and scheduled again: on another thread than the timer's, or in a batch on the timer's own, which
/// begins at a tick on both sides. `Expire` schedules a batch for the next tick and waits until all
/// have run. Ticks are short, so that Netty's thread, which links and unlinks at ticks only and so
/// many at one, keeps up.
public class HashedWheelTimerBenchmark extends PairedBenchmark {

  private static final int PENDING = 100_000;
  private static final int BATCH = 1 << 15;
  private static final int SLOTS = 512;
  private static final Duration TICK = Duration.ofMillis(1);
  private static final Duration DELAY = Duration.ofSeconds(60);

  private final int[] places = Draws.below(1 << 16, PENDING);
  private int draw;

  private int next() {
    draw = draw + 1 & places.length - 1;
    return places[draw];
  }

  private static void nothing() {}

  /// Ours with its timers.
  @State(Scope.Thread)
  public static class Ours {
    private final ThreadExecutor executor = new ThreadExecutor("wheel");
    private final HashedWheelTimer wheel =
        new HashedWheelTimer(executor, WheelSettings.DEFAULT.withTick(TICK).withSlots(SLOTS));
    private final Timer[] timers = new Timer[PENDING];

    @Setup
    public void schedule() {
      for (int i = 0; i < PENDING; i++) {
        timers[i] = wheel.schedule(HashedWheelTimerBenchmark::nothing, DELAY.plusMillis(i));
      }
    }

    private Timer move(int place) {
      timers[place].cancel();
      Timer timer = wheel.schedule(HashedWheelTimerBenchmark::nothing, DELAY);
      timers[place] = timer;
      return timer;
    }

    @TearDown
    public void close() {
      executor.close();
    }
  }

  /// Netty's.
  @State(Scope.Thread)
  public static class Theirs {
    private final io.netty.util.HashedWheelTimer wheel =
        new io.netty.util.HashedWheelTimer(TICK.toMillis(), TimeUnit.MILLISECONDS, SLOTS);
    private final Timeout[] timers = new Timeout[PENDING];

    @Setup
    public void schedule() {
      for (int i = 0; i < PENDING; i++) {
        timers[i] = wheel.newTimeout(_ -> nothing(), DELAY.toMillis() + i, TimeUnit.MILLISECONDS);
      }
    }

    private Timeout move(int place) {
      timers[place].cancel();
      Timeout timer = wheel.newTimeout(_ -> nothing(), DELAY.toSeconds(), TimeUnit.SECONDS);
      timers[place] = timer;
      return timer;
    }

    @TearDown
    public void close() {
      wheel.stop();
    }
  }

  @Benchmark
  public Timer quickwaterMove(Ours ours) {
    return ours.move(next());
  }

  @Benchmark
  public Timeout nettyMove(Theirs theirs) {
    return theirs.move(next());
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void quickwaterMoveOnItsThread(Ours ours) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    ours.wheel.schedule(
        () -> {
          for (int i = 0; i < BATCH; i++) {
            ours.move(next());
          }
          done.countDown();
        },
        Duration.ZERO);
    done.await();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void nettyMoveOnItsThread(Theirs theirs) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    theirs.wheel.newTimeout(
        _ -> {
          for (int i = 0; i < BATCH; i++) {
            theirs.move(next());
          }
          done.countDown();
        },
        0,
        TimeUnit.MILLISECONDS);
    done.await();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void quickwaterExpire(Ours ours) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(BATCH);
    for (int i = 0; i < BATCH; i++) {
      ours.wheel.schedule(done::countDown, Duration.ZERO);
    }
    done.await();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void nettyExpire(Theirs theirs) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(BATCH);
    for (int i = 0; i < BATCH; i++) {
      theirs.wheel.newTimeout(_ -> done.countDown(), 0, TimeUnit.MILLISECONDS);
    }
    done.await();
  }
}
