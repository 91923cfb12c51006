package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.jmh.JvmTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What executors, timers, futures and utilities are to reach beside Netty's.
///
/// The peers are Netty as shipped and with `Unsafe`, at each extent: its queues and its text use it
/// to read memory.
final class UtilGoals {

  /// Of the geometric mean of all rows.
  static final double MEAN = 1.3;

  private final Extent extent;
  private final List<Goal> goals = new ArrayList<>();

  private UtilGoals(Extent extent) {
    this.extent = extent;
  }

  /// All goals; a quick run has fewer values of the parameters.
  static List<Goal> all(Extent extent) {
    UtilGoals made = new UtilGoals(extent);
    made.add("timers", "(ScheduledTask|Deadline|HashedWheelTimer)Benchmark\\..*");
    made.add("executors", "(MpscQueue|MpscTransfer|BurstCostExecutors)Benchmark\\..*");
    made.add("futures", "PromiseBenchmark\\..*");
    made.locals();
    made.add("attributes", "AttributeMapBenchmark\\..*", "keys", "2", "32");
    made.add("recycler", "RecyclableListBenchmark\\..*", "size", "0", "256", "65536");
    made.add("lists", "OutputListBenchmark\\..*");
    made.add("maps", "IntObjectMapBenchmark\\..*", "size", "1000");
    made.add("maps", "OtherKeysBenchmark\\..*", "size", "1000");
    made.add("text", "AsciiStringBenchmark\\..*", "size", "8", "100");
    made.add("text", "CaseConversionBenchmark\\..*", "size", "7", "32");
    made.add("text", "EscapeCsvBenchmark\\..*");
    made.add("addresses", "(NetAddress|Cidr)Benchmark\\..*");
    made.add("dates", "DateFormatterBenchmark\\..*");
    return List.copyOf(made.goals);
  }

  private void locals() {
    add("thread-locals", "FastThreadLocalBenchmark\\..*");
    Against elsewhere = Against.EITHER_ACCESS.on(JvmTerms::onPlatformThreads);
    goals.add(
        new Goal(
            "thread-locals, other threads", "FastThreadLocalSlowPathBenchmark\\..*", elsewhere, 1));
  }

  private void add(String topic, String pairs) {
    goals.add(new Goal(topic, pairs, Against.EITHER_ACCESS, 1));
  }

  /// With a parameter that has only these values in a quick run.
  private void add(String topic, String pairs, String parameter, String... quick) {
    if (!extent.quick()) {
      add(topic, pairs);
      return;
    }
    for (String value : quick) {
      goals.add(new Goal(topic, pairs, Against.EITHER_ACCESS, 1).with(Map.of(parameter, value)));
    }
  }
}
