package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.command.Options;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// How long a benchmark runs: `--quick` to see that it works, `--full` to quote it.
///
/// Even a quick run warms up for three seconds: on a busy machine the compiler gets little time,
/// and figures of code that it has not reached are ten times too high.
public enum Length {
  QUICK(1, 10, 5, 300),
  USUAL(2, 5, 5, 1000),
  FULL(5, 5, 10, 1000),
  /// One fork of a suite of many short rows, which repeats it to have several.
  BRIEF(1, 6, 5, 150);

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
