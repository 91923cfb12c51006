package dev.quickwater.microbench.executor;

import dev.quickwater.common.ThreadExecutor;
import dev.quickwater.common.Timer;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// How long does an executor take to cancel all of so many timers?
///
/// After the benchmark of the same name in Netty's own suite: every invocation begins with fresh
/// timers, an hour apart, and cancels them on the executor's thread, first to last or last to
/// first. The hop to that thread and back, some microseconds, is part of the figure on both sides.
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ScheduledTaskBenchmark extends PairedBenchmark {

  @Param({"100", "1000", "10000", "100000"})
  public int timers;

  /// Ours and its timers.
  @State(Scope.Thread)
  public static class Ours {
    private final ThreadExecutor executor = new ThreadExecutor("timers");
    private Timer[] pending = {};

    @Setup(Level.Invocation)
    public void schedule(ScheduledTaskBenchmark settings) throws InterruptedException {
      pending = new Timer[settings.timers];
      run(() ->
          Arrays.setAll(
              pending,
              i -> executor.schedule(ScheduledTaskBenchmark::nothing, Duration.ofHours(i + 1))));
    }

    private void run(Runnable task) throws InterruptedException {
      CountDownLatch done = new CountDownLatch(1);
      executor.execute(() -> {
        task.run();
        done.countDown();
      });
      done.await();
    }

    @TearDown
    public void close() {
      executor.close();
    }
  }

  /// Netty's and its timers.
  @State(Scope.Thread)
  public static class Theirs {
    private final DefaultEventLoop executor = new DefaultEventLoop();
    private Future<?>[] pending = {};

    @Setup(Level.Invocation)
    public void schedule(ScheduledTaskBenchmark settings) throws InterruptedException {
      pending = new Future<?>[settings.timers];
      run(() ->
          Arrays.setAll(
              pending,
              i -> executor.schedule(ScheduledTaskBenchmark::nothing, i + 1, TimeUnit.HOURS)));
    }

    private void run(Runnable task) throws InterruptedException {
      CountDownLatch done = new CountDownLatch(1);
      executor.execute(() -> {
        task.run();
        done.countDown();
      });
      done.await();
    }

    @TearDown
    public void close() {
      executor.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private static void nothing() {}

  @Benchmark
  public void quickwaterCancelInOrder(Ours ours) throws InterruptedException {
    ours.run(() -> {
      for (int i = 0; i < ours.pending.length; i++) {
        ours.pending[i].cancel();
      }
    });
  }

  @Benchmark
  public void nettyCancelInOrder(Theirs theirs) throws InterruptedException {
    theirs.run(() -> {
      for (int i = 0; i < theirs.pending.length; i++) {
        theirs.pending[i].cancel(false);
      }
    });
  }

  @Benchmark
  public void quickwaterCancelInReverseOrder(Ours ours) throws InterruptedException {
    ours.run(() -> {
      for (int i = ours.pending.length - 1; i >= 0; i--) {
        ours.pending[i].cancel();
      }
    });
  }

  @Benchmark
  public void nettyCancelInReverseOrder(Theirs theirs) throws InterruptedException {
    theirs.run(() -> {
      for (int i = theirs.pending.length - 1; i >= 0; i--) {
        theirs.pending[i].cancel(false);
      }
    });
  }
}
