package dev.quickwater.microbench.executor;

import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.ThreadExecutor;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// How long does another thread wait until a loop that may be asleep has run a burst of tasks?
///
/// After the benchmark of the same name in Netty's own suite. `Thread` is an executor without I/O,
/// which parks; `Epoll` an event loop, which has to be woken out of a system call.
public class BurstCostExecutorsBenchmark extends PairedBenchmark {

  @Param({"1", "10", "100"})
  public int burst;

  private final AtomicInteger completed = new AtomicInteger();
  private final Runnable task = this::complete;
  private int expected;

  /// On the executor's thread alone.
  private void complete() {
    completed.setRelease(completed.getPlain() + 1);
  }

  private int run(Executor executor) {
    expected += burst;
    for (int i = 0; i < burst; i++) {
      executor.execute(task);
    }
    while (completed.getAcquire() != expected) {
      Thread.onSpinWait();
    }
    return expected;
  }

  private static void stop(EventExecutorGroup group) {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /// Our executor without I/O.
  @State(Scope.Thread)
  public static class OurThread {
    final ThreadExecutor executor = new ThreadExecutor("burst");

    @TearDown
    public void stop() {
      executor.close();
    }
  }

  /// Netty's.
  @State(Scope.Thread)
  public static class TheirThread {
    final DefaultEventLoop executor = new DefaultEventLoop();

    @TearDown
    public void stop() {
      BurstCostExecutorsBenchmark.stop(executor);
    }
  }

  /// Our event loop.
  @State(Scope.Thread)
  public static class OurLoop {
    final EventLoopGroup group =
        EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(1).withTransport("epoll"));
    final Executor executor = group.next();

    @TearDown
    public void stop() {
      group.close();
    }
  }

  /// Netty's.
  @State(Scope.Thread)
  public static class TheirLoop {
    final MultiThreadIoEventLoopGroup group =
        new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    final Executor executor = group.next();

    @TearDown
    public void stop() {
      BurstCostExecutorsBenchmark.stop(group);
    }
  }

  @Benchmark
  public int quickwaterThread(OurThread ours) {
    return run(ours.executor);
  }

  @Benchmark
  public int nettyThread(TheirThread theirs) {
    return run(theirs.executor);
  }

  @Benchmark
  public int quickwaterEpoll(OurLoop ours) {
    return run(ours.executor);
  }

  @Benchmark
  public int nettyEpoll(TheirLoop theirs) {
    return run(theirs.executor);
  }
}
