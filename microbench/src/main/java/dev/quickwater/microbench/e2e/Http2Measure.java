package dev.quickwater.microbench.e2e;

import java.util.function.ToDoubleFunction;

/// The figures of a sample of HTTP/2; all but the throughput are better when they are small.
enum Http2Measure implements ToDoubleFunction<Http2Sample> {
  CPU("cpu", "us/request"),
  THROUGHPUT("throughput", "requests/s"),
  MEAN("mean", "us"),
  WIRE("wire", "bytes/response");

  final String label;
  final String unit;

  Http2Measure(String label, String unit) {
    this.label = label;
    this.unit = unit;
  }

  @Override
  public double applyAsDouble(Http2Sample sample) {
    return switch (this) {
      case CPU -> sample.cpu();
      case THROUGHPUT -> sample.perSecond();
      case MEAN -> sample.mean();
      case WIRE -> sample.wire();
    };
  }
}
