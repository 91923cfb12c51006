package dev.quickwater.http;

import dev.quickwater.http.engine.BlockingCall;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs blocking handlers on virtual threads.
///
/// The thread of a handler is interrupted when its exchange ends early. A handler that blocks
/// therefore ends soon after its peer has disconnected.
public final class Blocking {

  /// The Retry-After of a refused request, in seconds.
  private static final HttpHeaders RETRY = HttpHeaders.of("retry-after", "1");

  private Blocking() {}

  /// A handler that runs `handler` on virtual threads within [BlockingLimits#DEFAULT].
  public static HttpHandler handler(BlockingHandler handler) {
    return handler(handler, BlockingLimits.DEFAULT);
  }

  /// A handler that runs `handler` on virtual threads, at most `max` at a time. The limit for one
  /// peer is the default, or `max` if that is less.
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
