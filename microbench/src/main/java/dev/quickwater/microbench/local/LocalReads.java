package dev.quickwater.microbench.local;

import dev.quickwater.common.LoopLocal;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.concurrent.FastThreadLocal;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/// Reads of thread-locals: one that is a constant of the program, which is the usual case, and 128
/// one after another. On which threads, the subclasses say.
///
/// A scoped value cannot be set for the whole of an iteration, so its sides bind theirs for so many
/// reads, and that is part of their figures.
public abstract class LocalReads extends PairedBenchmark {

  private static final int READS = 1024;

  private static final LoopLocal<Integer> OURS = LoopLocal.withInitial("one", () -> 12345);
  private static final FastThreadLocal<Integer> NETTY =
      new FastThreadLocal<>() {
        @Override
        protected Integer initialValue() {
          return 12345;
        }
      };
  private static final ThreadLocal<Integer> JDK = ThreadLocal.withInitial(() -> 12345);
  private static final ScopedValue<Integer> SCOPED = ScopedValue.newInstance();

  private static final LoopLocal<Integer>[] OUR_MANY = Locals.ours();
  private static final FastThreadLocal<Integer>[] NETTY_MANY = Locals.netty();
  private static final ThreadLocal<Integer>[] JDK_MANY = Locals.jdk();
  private static final ScopedValue<Integer>[] SCOPED_MANY = Locals.scoped();

  private final ScopedValue.Carrier one = ScopedValue.where(SCOPED, 12345);
  private final ScopedValue.Carrier many = bindMany();

  private static ScopedValue.Carrier bindMany() {
    ScopedValue.Carrier carrier = ScopedValue.where(SCOPED_MANY[0], Locals.number(0));
    for (int i = 1; i < SCOPED_MANY.length; i++) {
      carrier = carrier.where(SCOPED_MANY[i], Locals.number(i));
    }
    return carrier;
  }

  @Benchmark
  public Integer quickwaterOne() {
    return OURS.get();
  }

  @Benchmark
  public Integer nettyOne() {
    return NETTY.get();
  }

  @Benchmark
  public Integer jdkOne() {
    return JDK.get();
  }

  @Benchmark
  @OperationsPerInvocation(READS)
  public void scopedOne(Blackhole hole) {
    one.run(() -> {
      for (int i = 0; i < READS; i++) {
        hole.consume(SCOPED.get());
      }
    });
  }

  @Benchmark
  public int quickwaterMany() {
    int sum = 0;
    for (LoopLocal<Integer> local : OUR_MANY) {
      sum += local.get();
    }
    return sum;
  }

  @Benchmark
  public int nettyMany() {
    int sum = 0;
    for (FastThreadLocal<Integer> local : NETTY_MANY) {
      sum += local.get();
    }
    return sum;
  }

  @Benchmark
  public int jdkMany() {
    int sum = 0;
    for (ThreadLocal<Integer> local : JDK_MANY) {
      sum += local.get();
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(READS)
  public void scopedMany(Blackhole hole) {
    many.run(() -> {
      for (int i = 0; i < READS; i++) {
        hole.consume(sumScoped());
      }
    });
  }

  private static int sumScoped() {
    int sum = 0;
    for (ScopedValue<Integer> local : SCOPED_MANY) {
      sum += local.get();
    }
    return sum;
  }
}
