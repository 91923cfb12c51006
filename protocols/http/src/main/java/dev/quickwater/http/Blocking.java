package dev.quickwater.http;

import dev.quickwater.http.engine.BlockingCall;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs blocking handlers on virtual threads.
///
/// The thread of a handler is interrupted when its exchange ends early, so that a handler that
/// blocks does not outlive a peer that is gone.
public final class Blocking {

  /// What a refused client is advised to wait.
  private static final HttpHeaders RETRY = HttpHeaders.of("retry-after", "1");

  private Blocking() {}

  /// A handler that runs `handler` on virtual threads within [BlockingLimits#DEFAULT].
  public static HttpHandler handler(BlockingHandler handler) {
    return handler(handler, BlockingLimits.DEFAULT);
  }

  /// A handler that runs `handler` on virtual threads, at most `max` at a time, and no more for one
  /// peer than by default.
  ///
  /// @throws IllegalArgumentException if `max` is less than 1
  public static HttpHandler handler(BlockingHandler handler, int max) {
    return handler(handler, BlockingLimits.DEFAULT.withMax(max));
  }

  /// A handler that runs `handler` on virtual threads within `limits`.
  public static HttpHandler handler(BlockingHandler handler, BlockingLimits limits) {
    AtomicInteger running = new AtomicInteger();
    PeerCounts peers = new PeerCounts(limits.maxPerPeer());
    return x -> {
      @Nullable Long peer = PeerCounts.key(x.connection().remoteAddress());
      if (peer != null && !peers.tryAdd(peer)) {
        throw new HttpException(
            HttpStatus.TOO_MANY_REQUESTS, "too many requests of this client are handled", RETRY);
      }
      Runnable done =
          () -> {
            running.decrementAndGet();
            if (peer != null) {
              peers.remove(peer);
            }
          };
      if (running.incrementAndGet() > limits.max()) {
        done.run();
        throw new HttpException(
            HttpStatus.SERVICE_UNAVAILABLE, "too many requests are handled", RETRY);
      }
      BlockingCall.start(x, handler, done);
    };
  }
}
