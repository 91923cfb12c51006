package dev.quickwater.web;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.engine.ServerExchange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Counts the exchanges of one event loop around a handler.
///
/// - Only the loop writes, so counting needs neither a lock nor an atomic operation. Other threads
///   may see counters that differ by a few exchanges.
/// - An exchange that ends during the call of its handler is counted without a callback or an
///   allocation. Its latency is measured if it is the first of its turn. Of the others in a turn,
///   one in [#SAMPLE] is measured and represents all of them, because reading the clock takes
///   longer than counting. Each exchange that ends later is measured.
/// - A latency begins with the turn of the loop in which the head arrived. It includes the time
///   that a request waits for other requests of its loop.
final class LoopRequests implements HttpHandler {

  static final int SAMPLE = 16;

  /// Open exchanges whose handler has returned.
  private static final int ACTIVE = 0;

  private static final int ABORTED = 1;
  private static final int RECEIVED = 2;
  private static final int SENT = 3;

  /// Exchanges by the first digit of the status; index 0 counts those without a response.
  private static final int STATUS = 4;

  private static final int STATUS_CLASSES = 6;
  private static final int LATENCY = STATUS + STATUS_CLASSES;
  private static final int CELLS = LATENCY + LatencyBuckets.COUNT;

  /// Unused cells on both sides, which keep other objects out of the cache lines of the counters.
  private static final int MARGIN = 8;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final HttpHandler next;
  private final EventLoop loop;
  private final long[] cells = new long[CELLS + 2 * MARGIN];
  private int untilSample;
  private long lastBegin;

  LoopRequests(EventLoop loop, HttpHandler next) {
    this.loop = loop;
    this.next = next;
  }

  @Override
  public void handle(HttpExchange x) throws Exception {
    ServerExchange exchange = (ServerExchange) x;
    long begin = loop.now();
    try {
      next.handle(x);
    } finally {
      if (exchange.isOver()) {
        ended(exchange, begin);
      } else {
        add(ACTIVE, 1);
        x.onEnd(outcome -> endedLater(exchange, outcome, begin));
      }
    }
  }

  private void ended(ServerExchange exchange, long begin) {
    int weight = weight(begin);
    if (weight > 0 || HttpRequestEvent.isRecorded()) {
      long nanos = loop.clock().nanoTime() - begin;
      if (weight > 0) {
        add(LATENCY + LatencyBuckets.of(nanos), weight);
      }
      HttpRequestEvent.record(exchange, nanos);
    }
    count(exchange, exchange.isCompleted());
  }

  /// The number of exchanges that this latency represents; 0 if it is not measured.
  private int weight(long begin) {
    if (begin != lastBegin) {
      lastBegin = begin;
      return 1;
    }
    if (untilSample > 0) {
      untilSample--;
      return 0;
    }
    untilSample = SAMPLE - 1;
    return SAMPLE;
  }

  private void endedLater(ServerExchange exchange, Outcome outcome, long begin) {
    long nanos = loop.clock().nanoTime() - begin;
    add(LATENCY + LatencyBuckets.of(nanos), 1);
    HttpRequestEvent.record(exchange, nanos);
    count(exchange, outcome.isCompleted());
    add(ACTIVE, -1);
  }

  private void count(ServerExchange exchange, boolean isCompleted) {
    @Nullable HttpStatus status = exchange.status();
    add(STATUS + (status == null ? 0 : Math.min(status.code() / 100, STATUS_CLASSES - 1)), 1);
    if (!isCompleted) {
      add(ABORTED, 1);
    }
    long received = exchange.bytesReceived();
    if (received > 0) {
      add(RECEIVED, received);
    }
    add(SENT, exchange.bytesSent());
  }

  private void add(int cell, long value) {
    int index = MARGIN + cell;
    CELL.setOpaque(cells, index, cells[index] + value);
  }

  private long get(int cell) {
    return (long) CELL.getOpaque(cells, MARGIN + cell);
  }

  /// Adds the counters to a sum. May be called on any thread.
  void addTo(RequestMetrics.Sum sum) {
    sum.active += get(ACTIVE);
    sum.aborted += get(ABORTED);
    sum.received += get(RECEIVED);
    sum.sent += get(SENT);
    for (int i = 0; i < STATUS_CLASSES; i++) {
      sum.status[i] += get(STATUS + i);
    }
    for (int i = 0; i < LatencyBuckets.COUNT; i++) {
      sum.latencies[i] += get(LATENCY + i);
    }
  }
}
