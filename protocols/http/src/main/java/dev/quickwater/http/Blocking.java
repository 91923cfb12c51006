package dev.quickwater.http;

import dev.quickwater.http.engine.BlockingCall;
import java.util.concurrent.atomic.AtomicInteger;

/// Runs blocking handlers on virtual threads.
///
/// The thread of a handler is interrupted when its exchange ends early, so that a handler that
/// blocks does not outlive a peer that is gone.
public final class Blocking {

  /// How many exchanges one handler works on at a time, where nothing else is set.
  public static final int DEFAULT_MAX = 10_000;

  private Blocking() {}

  /// A handler that runs `handler` on virtual threads, at most [#DEFAULT_MAX] at a time.
  public static HttpHandler handler(BlockingHandler handler) {
    return handler(handler, DEFAULT_MAX);
  }

  /// A handler that runs `handler` on virtual threads. While `max` of them run, further exchanges
  /// are answered with 503.
  ///
  /// @throws IllegalArgumentException if `max` is less than 1
  public static HttpHandler handler(BlockingHandler handler, int max) {
    if (max < 1) {
      throw new IllegalArgumentException("max is " + max + ", expected 1 or more");
    }
    AtomicInteger running = new AtomicInteger();
    return x -> {
      if (running.incrementAndGet() > max) {
        running.decrementAndGet();
        throw new HttpException(
            HttpStatus.SERVICE_UNAVAILABLE, "too many requests are being handled");
      }
      BlockingCall.start(x, handler, running::decrementAndGet);
    };
  }
}
