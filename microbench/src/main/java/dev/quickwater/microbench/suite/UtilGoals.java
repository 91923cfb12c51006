package dev.quickwater.microbench.suite;

import java.util.ArrayList;
import java.util.List;

/// What executors, timers, futures and utilities are to reach beside Netty's.
final class UtilGoals {

  /// Of the geometric mean of all rows.
  static final double MEAN = 1.3;

  private UtilGoals() {}

  /// All goals. Netty is put beside ours as shipped and with `Unsafe`, whatever the extent: its
  /// queues and its text read memory by it.
  static List<Goal> all(Extent extent) {
    List<Goal> goals = new ArrayList<>();
    add(goals, "timers", "(ScheduledTask|Deadline)Benchmark\\..*");
    add(goals, "executors", "(MpscQueue|MpscTransfer|BurstCostExecutors)Benchmark\\..*");
    add(goals, "futures", "PromiseBenchmark\\..*");
    return List.copyOf(goals);
  }

  private static void add(List<Goal> goals, String topic, String pairs) {
    goals.add(new Goal(topic, pairs, Against.EITHER_ACCESS, 1));
  }
}
