package dev.quickwater.microbench.e2e;

import java.util.function.ToDoubleFunction;

/// The figures of a sample; all but the throughput are better when they are small.
enum Measure implements ToDoubleFunction<Sample> {
  CPU("cpu", "us/request"),
  THROUGHPUT("throughput", "requests/s"),
  P50("p50", "us"),
  P99("p99", "us");

  final String label;
  final String unit;

  Measure(String label, String unit) {
    this.label = label;
    this.unit = unit;
  }

  @Override
  public double applyAsDouble(Sample sample) {
    return switch (this) {
      case CPU -> sample.cpu();
      case THROUGHPUT -> sample.load().perSecond();
      case P50 -> sample.load().p50();
      case P99 -> sample.load().p99();
    };
  }
}
