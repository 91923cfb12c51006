package dev.quickwater.tls;

import java.util.concurrent.atomic.LongAdder;

/// Counts the handshakes of a context. Any thread.
final class TlsCounters {

  private final LongAdder handshakes = new LongAdder();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder refused = new LongAdder();

  void completed(boolean resumption) {
    handshakes.increment();
    if (resumption) {
      resumed.increment();
    }
  }

  void failed() {
    failed.increment();
  }

  void refused() {
    refused.increment();
  }

  TlsMetrics metrics() {
    return new TlsMetrics(handshakes.sum(), resumed.sum(), failed.sum(), refused.sum());
  }
}
