package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.command.Options;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// How long a benchmark runs: `--quick` to see that it works, `--full` to quote it.
enum Length {
  QUICK(1, 3, 3, 200),
  USUAL(2, 5, 5, 1000),
  FULL(5, 5, 10, 1000);

  private final int forks;
  private final int warmups;
  private final int iterations;
  private final long millis;

  Length(int forks, int warmups, int iterations, long millis) {
    this.forks = forks;
    this.warmups = warmups;
    this.iterations = iterations;
    this.millis = millis;
  }

  static Length of(Options options) {
    return options.has("--full") ? FULL : options.has("--quick") ? QUICK : USUAL;
  }

  ChainedOptionsBuilder apply(ChainedOptionsBuilder builder) {
    return builder
        .forks(forks)
        .warmupIterations(warmups)
        .warmupTime(TimeValue.milliseconds(millis))
        .measurementIterations(iterations)
        .measurementTime(TimeValue.milliseconds(millis));
  }
}
