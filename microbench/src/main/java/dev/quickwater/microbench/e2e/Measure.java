package dev.quickwater.microbench.e2e;

/// The figures of a sample; all but the throughput are better when they are small.
enum Measure {
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

  double of(Sample sample) {
    return switch (this) {
      case CPU -> sample.cpu();
      case THROUGHPUT -> sample.load().perSecond();
      case P50 -> sample.load().p50();
      case P99 -> sample.load().p99();
    };
  }
}
