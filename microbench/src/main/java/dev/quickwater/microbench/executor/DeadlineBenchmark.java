package dev.quickwater.microbench.executor;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Timer;
import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a connection pay, on its own loop, for a deadline that it moves?
///
/// One of the pending timers, drawn beforehand, is cancelled and scheduled again. Both sides do it
/// on their loop's thread, which here is the benchmark's.
public class DeadlineBenchmark extends PairedBenchmark {

  private static final Duration DELAY = Duration.ofSeconds(30);

  @Param({"100", "10000"})
  public int pending;

  private final EmbeddedChannel ours = new EmbeddedChannel();
  private final io.netty.channel.embedded.EmbeddedChannel theirs =
      new io.netty.channel.embedded.EmbeddedChannel();
  private final EventLoop loop = ours.loop();
  private final EventExecutor nettyLoop = theirs.eventLoop();
  private Timer[] timers = {};
  private Future<?>[] futures = {};
  private int[] places = {};
  private int draw;

  @Setup
  public void schedule() {
    places = Draws.below(1 << 14, pending);
    timers = new Timer[pending];
    futures = new Future<?>[pending];
    for (int i = 0; i < pending; i++) {
      timers[i] = loop.schedule(DeadlineBenchmark::nothing, DELAY);
      futures[i] =
          nettyLoop.schedule(DeadlineBenchmark::nothing, DELAY.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @TearDown
  public void close() {
    ours.close();
    theirs.finishAndReleaseAll();
  }

  private static void nothing() {}

  private int next() {
    draw = draw + 1 & places.length - 1;
    return places[draw];
  }

  @Benchmark
  public Timer quickwaterMove() {
    int place = next();
    timers[place].cancel();
    Timer timer = loop.schedule(DeadlineBenchmark::nothing, DELAY);
    timers[place] = timer;
    return timer;
  }

  @Benchmark
  public Future<?> nettyMove() {
    int place = next();
    futures[place].cancel(false);
    Future<?> future = nettyLoop.schedule(DeadlineBenchmark::nothing, 30, TimeUnit.SECONDS);
    futures[place] = future;
    return future;
  }
}
