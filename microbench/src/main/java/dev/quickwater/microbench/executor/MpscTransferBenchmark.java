package dev.quickwater.microbench.executor;

import dev.quickwater.common.queue.MpscQueue;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.internal.PlatformDependent;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jctools.queues.MpscLinkedQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// What does an element cost that goes from other threads to this one?
///
/// Producers put a round of elements into the queue as fast as they can while the measured thread
/// takes them out. Rounds rather than JMH's groups, since an unbounded queue has nothing that holds
/// producers back which outrun the consumer for a whole iteration.
@OperationsPerInvocation(MpscTransferBenchmark.ROUND)
public class MpscTransferBenchmark extends PairedBenchmark {

  static final int ROUND = 1 << 16;

  @Param({"1", "2"})
  public int producers;

  private final MpscQueue<Object> ours = new MpscQueue<>();
  private final Queue<Object> netty = PlatformDependent.newMpscQueue();
  private final MpscUnboundedArrayQueue<Object> arrays =
      new MpscUnboundedArrayQueue<>(MpscQueueBenchmark.CHUNK);
  private final MpscLinkedQueue<Object> nodes = new MpscLinkedQueue<>();
  private final AtomicInteger round = new AtomicInteger();
  private volatile boolean over;
  private boolean started;

  private Object transfer(Consumer<Object> offer, Supplier<@Nullable Object> poll) {
    if (!started) {
      started = true;
      for (int i = 0; i < producers; i++) {
        Thread.ofPlatform().daemon().start(() -> produce(offer));
      }
    }
    round.incrementAndGet();
    Object last = this;
    for (int left = ROUND; left > 0; ) {
      @Nullable Object element = poll.get();
      if (element == null) {
        Thread.onSpinWait();
      } else {
        last = element;
        left--;
      }
    }
    return last;
  }

  private void produce(Consumer<Object> offer) {
    int next = 1;
    while (!over) {
      if (round.get() < next) {
        Thread.yield();
        continue;
      }
      for (int i = ROUND / producers; i > 0; i--) {
        offer.accept(this);
      }
      next++;
    }
  }

  @TearDown
  public void end() {
    over = true;
  }

  @Benchmark
  public Object quickwaterElement() {
    return transfer(ours::offer, ours::poll);
  }

  @Benchmark
  public Object nettyElement() {
    return transfer(netty::offer, netty::poll);
  }

  @Benchmark
  public Object arraysElement() {
    return transfer(arrays::offer, arrays::poll);
  }

  @Benchmark
  public Object nodesElement() {
    return transfer(nodes::offer, nodes::poll);
  }
}
