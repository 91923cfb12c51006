package dev.quickwater.web;

import java.time.Duration;

/// Figures of the exchanges of a server: since it started, or of a period ([#since]). Immutable.
///
/// Requests whose head is malformed are not counted, because no exchange begins. Bytes are those of
/// bodies.
public final class RequestMetrics {

  private final Sum sum;

  /// What the counters of several loops add up to.
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

  /// Exchanges whose handler has returned without ending them and that have not ended since, at the
  /// moment of the snapshot.
  public long active() {
    return sum.active;
  }

  /// Exchanges that ended without a complete response.
  public long aborted() {
    return sum.aborted;
  }

  /// Exchanges that ended with a status of a class: 2 for 200 to 299. 0 is for those without a
  /// response, and for tunnels.
  ///
  /// @throws IndexOutOfBoundsException unless `statusClass` is 0 to 5
  public long withStatus(int statusClass) {
    return sum.status[statusClass];
  }

  /// Bytes of the requests' bodies.
  public long bytesReceived() {
    return sum.received;
  }

  /// Bytes of the responses' bodies.
  public long bytesSent() {
    return sum.sent;
  }

  /// The latency that a share of the exchanges did not exceed, at most an eighth too long. Zero if
  /// there was none. A latency is the time from the begin of the loop's turn in which a request
  /// arrived to the end of its exchange.
  ///
  /// @param share more than 0, at most 1: 0.5 for the median
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
