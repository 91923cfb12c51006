package dev.quickwater.microbench.executor;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FutureListener;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;

/// What does a result cost that a loop waits for itself?
///
/// Everything happens on the loop's thread, which here is the benchmark's: the listener is added
/// before the end, after it, or not at all.
public class PromiseBenchmark extends PairedBenchmark {

  private final EmbeddedChannel ours = new EmbeddedChannel();
  private final io.netty.channel.embedded.EmbeddedChannel theirs =
      new io.netty.channel.embedded.EmbeddedChannel();
  private final EventLoop loop = ours.loop();
  private final EventExecutor nettyLoop = theirs.eventLoop();
  private int told;
  private final Consumer<Future<Object>> listener = this::told;
  private final FutureListener<Object> nettyListener = this::nettyTold;

  private void told(Future<Object> future) {
    told += future.isSuccess() ? 1 : 0;
  }

  private void nettyTold(io.netty.util.concurrent.Future<Object> future) {
    told += future.isSuccess() ? 1 : 0;
  }

  @TearDown
  public void close() {
    ours.close();
    theirs.finishAndReleaseAll();
  }

  @Benchmark
  public Object quickwaterAlone() {
    Promise<Object> promise = new Promise<>(loop);
    promise.trySuccess(this);
    return promise.value();
  }

  @Benchmark
  public Object nettyAlone() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    promise.trySuccess(this);
    return promise.getNow();
  }

  @Benchmark
  public int quickwaterListenerFirst() {
    Promise<Object> promise = new Promise<>(loop);
    promise.onComplete(listener);
    promise.trySuccess(this);
    return told;
  }

  @Benchmark
  public int nettyListenerFirst() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    promise.addListener(nettyListener);
    promise.trySuccess(this);
    return told;
  }

  @Benchmark
  public int quickwaterListenerLate() {
    Promise<Object> promise = new Promise<>(loop);
    promise.trySuccess(this);
    promise.onComplete(listener);
    return told;
  }

  @Benchmark
  public int nettyListenerLate() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    promise.trySuccess(this);
    promise.addListener(nettyListener);
    return told;
  }
}
