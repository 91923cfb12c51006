package dev.quickwater.microbench.executor;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FutureListener;
import io.netty.util.concurrent.PromiseCombiner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.TearDown;

/// What does a result cost that a loop waits for itself?
///
/// Everything happens on the loop's thread, which here is the benchmark's: the listener is added
/// before the end, after it, or not at all; results are chained, combined and cancelled. A promise
/// leaves the method, as one does that other code completes; otherwise the compiler would remove
/// one side's locks and keep the other's atomic accesses.
public class PromiseBenchmark extends PairedBenchmark {

  private static final int LISTENERS = 4;
  private static final int CHAIN = 10;

  private final EmbeddedChannel ours = new EmbeddedChannel();
  private final io.netty.channel.embedded.EmbeddedChannel theirs =
      new io.netty.channel.embedded.EmbeddedChannel();
  private final EventLoop loop = ours.loop();
  private final EventExecutor nettyLoop = theirs.eventLoop();

  /// Not private: the compiler cannot prove that it is never read.
  int told;

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
  public Object quickwaterListenerFirst() {
    Promise<Object> promise = new Promise<>(loop);
    promise.onComplete(listener);
    promise.trySuccess(this);
    return promise;
  }

  @Benchmark
  public DefaultPromise<Object> nettyListenerFirst() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    promise.addListener(nettyListener);
    promise.trySuccess(this);
    return promise;
  }

  @Benchmark
  public Object quickwaterListenerLate() {
    Promise<Object> promise = new Promise<>(loop);
    promise.trySuccess(this);
    promise.onComplete(listener);
    return promise;
  }

  @Benchmark
  public DefaultPromise<Object> nettyListenerLate() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    promise.trySuccess(this);
    promise.addListener(nettyListener);
    return promise;
  }

  @Benchmark
  public Object quickwaterListenersFour() {
    Promise<Object> promise = new Promise<>(loop);
    for (int i = 0; i < LISTENERS; i++) {
      promise.onComplete(listener);
    }
    promise.trySuccess(this);
    return promise;
  }

  @Benchmark
  public DefaultPromise<Object> nettyListenersFour() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    for (int i = 0; i < LISTENERS; i++) {
      promise.addListener(nettyListener);
    }
    promise.trySuccess(this);
    return promise;
  }

  @Benchmark
  public Object quickwaterCancel() {
    Promise<Object> promise = new Promise<>(loop);
    promise.onComplete(listener);
    promise.cancel();
    return promise;
  }

  @Benchmark
  public DefaultPromise<Object> nettyCancel() {
    DefaultPromise<Object> promise = new DefaultPromise<>(nettyLoop);
    promise.addListener(nettyListener);
    promise.cancel(false);
    return promise;
  }

  /// Each result ends the next promise.
  @Benchmark
  @OperationsPerInvocation(CHAIN)
  public Object quickwaterChain() {
    Promise<Object> first = new Promise<>(loop);
    Promise<Object> last = first;
    for (int i = 0; i < CHAIN; i++) {
      Promise<Object> next = new Promise<>(loop);
      last.onComplete(done -> next.trySuccess(done.value()));
      last = next;
    }
    first.trySuccess(this);
    return last.value();
  }

  @Benchmark
  @OperationsPerInvocation(CHAIN)
  public Object nettyChain() {
    DefaultPromise<Object> first = new DefaultPromise<>(nettyLoop);
    DefaultPromise<Object> last = first;
    for (int i = 0; i < CHAIN; i++) {
      DefaultPromise<Object> next = new DefaultPromise<>(nettyLoop);
      last.addListener((FutureListener<Object>) done -> next.trySuccess(done.getNow()));
      last = next;
    }
    first.trySuccess(this);
    return last.getNow();
  }

  /// One result of so many. Ours has their values besides.
  @Benchmark
  @OperationsPerInvocation(CHAIN)
  public Object quickwaterCombine() {
    List<Promise<Object>> parts = new ArrayList<>(CHAIN);
    for (int i = 0; i < CHAIN; i++) {
      parts.add(new Promise<>(loop));
    }
    Future<List<Object>> all = loop.all(parts);
    for (int i = 0; i < CHAIN; i++) {
      parts.get(i).trySuccess(this);
    }
    return all.value();
  }

  @Benchmark
  @OperationsPerInvocation(CHAIN)
  public Object nettyCombine() {
    List<DefaultPromise<Object>> parts = new ArrayList<>(CHAIN);
    PromiseCombiner combiner = new PromiseCombiner(nettyLoop);
    for (int i = 0; i < CHAIN; i++) {
      DefaultPromise<Object> part = new DefaultPromise<>(nettyLoop);
      parts.add(part);
      combiner.add((io.netty.util.concurrent.Future<Object>) part);
    }
    DefaultPromise<Void> all = new DefaultPromise<>(nettyLoop);
    combiner.finish(all);
    for (int i = 0; i < CHAIN; i++) {
      parts.get(i).trySuccess(this);
    }
    return all.isSuccess();
  }
}
