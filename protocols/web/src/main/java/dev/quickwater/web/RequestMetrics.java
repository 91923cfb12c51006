package dev.quickwater.web;

import java.time.Duration;

/// Figures of a server's exchanges, since its start or for a period ([#since]). Immutable.
///
/// Requests with a malformed head are not counted, because they open no exchange. Bytes are bytes
/// of bodies.
public final class RequestMetrics {

  private final Sum sum;

  /// The sums of the counters of several loops.
  static final class Sum {
    long active;
    long aborted;
    long received;
    long sent;
    final long[] status = new long[6];
    final long[] latencies = new long[LatencyBuckets.COUNT];
  }

  RequestMetrics(Sum sum) {
    this.sum = sum;
  }

  /// Exchanges that have ended.
  public long ended() {
    long ended = 0;
    for (long count : sum.status) {
      ended += count;
    }
    return ended;
  }

  /// Exchanges that are open after their handler has returned, at the time of the snapshot.
  public long active() {
    return sum.active;
  }

  /// Exchanges that ended without a complete response.
  public long aborted() {
    return sum.aborted;
  }

  /// Exchanges that ended with a status of a class: 2 for 200 to 299. Class 0 is for exchanges
  /// without a response and for tunnels.
  ///
  /// @throws IndexOutOfBoundsException unless `statusClass` is 0 to 5
  public long withStatus(int statusClass) {
    return sum.status[statusClass];
  }

  /// Bytes of the bodies of requests.
  public long bytesReceived() {
    return sum.received;
  }

  /// Bytes of the bodies of responses.
  public long bytesSent() {
    return sum.sent;
  }

  /// A quantile of the latencies, overestimated by at most an eighth; zero without exchanges. A
  /// latency is the time from the start of the loop's turn in which a request arrived to the end of
  /// its exchange.
  ///
  /// @param share the share of exchanges whose latency is at most the result: above 0, at most 1;
  ///   0.5 for the median
  /// @throws IllegalArgumentException for another share
  public Duration latency(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share + ", expected 0 to 1");
    }
    long total = 0;
    for (long count : sum.latencies) {
      total += count;
    }
    long wanted = (long) Math.ceil(total * share);
    if (wanted <= 0) {
      return Duration.ZERO;
    }
    int bucket = 0;
    for (long seen = sum.latencies[0]; seen < wanted; seen += sum.latencies[bucket]) {
      bucket++;
    }
    return Duration.ofNanos(LatencyBuckets.end(bucket));
  }

  /// The figures of the period between an earlier snapshot of the same server and this one.
  public RequestMetrics since(RequestMetrics earlier) {
    Sum period = new Sum();
    period.active = sum.active;
    period.aborted = sum.aborted - earlier.sum.aborted;
    period.received = sum.received - earlier.sum.received;
    period.sent = sum.sent - earlier.sum.sent;
    subtract(sum.status, earlier.sum.status, period.status);
    subtract(sum.latencies, earlier.sum.latencies, period.latencies);
    return new RequestMetrics(period);
  }

  private static void subtract(long[] from, long[] what, long[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = from[i] - what[i];
    }
  }

  @Override
  public String toString() {
    return ended() + " exchanges, " + active() + " active, median " + latency(0.5);
  }
}
