package dev.quickwater.microbench.executor;

import dev.quickwater.common.queue.MpscQueue;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.internal.PlatformDependent;
import java.util.Queue;
import org.jctools.queues.MpscLinkedQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/// What does a task queue cost without contention?
///
/// Each invocation offers and polls one element: the latency that a task pays on its way to an idle
/// loop. Netty's queue is the one that its event loops make, a copy of JCTools'; beside it are
/// JCTools' own.
public class MpscQueueBenchmark extends PairedBenchmark {

  static final int CHUNK = 1024;

  private final MpscQueue<Object> ours = new MpscQueue<>();
  private final Queue<Object> netty = PlatformDependent.newMpscQueue();
  private final MpscUnboundedArrayQueue<Object> arrays = new MpscUnboundedArrayQueue<>(CHUNK);
  private final MpscLinkedQueue<Object> nodes = new MpscLinkedQueue<>();

  @Benchmark
  public @Nullable Object quickwaterOfferPoll() {
    ours.offer(this);
    return ours.poll();
  }

  @Benchmark
  public @Nullable Object nettyOfferPoll() {
    netty.offer(this);
    return netty.poll();
  }

  @Benchmark
  public @Nullable Object arraysOfferPoll() {
    arrays.offer(this);
    return arrays.poll();
  }

  @Benchmark
  public @Nullable Object nodesOfferPoll() {
    nodes.offer(this);
    return nodes.poll();
  }
}
