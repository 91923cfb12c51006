package dev.quickwater.http;

import java.time.Duration;

/// Limits of one exchange; immutable, validated when created.
///
/// @param maxBody bytes of the received body; a server responds with 413 to a larger body
/// @param minReceiveRate bytes a second that the peer must send while the body is read; 0 for no
///   limit. On a client it applies only to a response that announced its length, because a stream
///   of events may be slow
/// @param minSendRate bytes a second that the peer must accept while bytes are queued; 0 for no
///   limit
/// @param idleTimeout how long the exchange may make no progress in either direction; zero for no
///   limit
public record ExchangeLimits(
    long maxBody, int minReceiveRate, int minSendRate, Duration idleTimeout) {

  /// A body of 30 MB, 240 bytes a second in both directions, 60 s without progress.
  public static final ExchangeLimits DEFAULT =
      new ExchangeLimits(30_000_000, 240, 240, Duration.ofSeconds(60));

  /// No limit at all.
  public static final ExchangeLimits UNLIMITED =
      new ExchangeLimits(Long.MAX_VALUE, 0, 0, Duration.ZERO);

  /// Checks the values.
  public ExchangeLimits {
    require(maxBody >= 0, "maxBody", maxBody);
    require(minReceiveRate >= 0, "minReceiveRate", minReceiveRate);
    require(minSendRate >= 0, "minSendRate", minSendRate);
    require(!idleTimeout.isNegative(), "idleTimeout", idleTimeout);
  }

  private static void require(boolean good, String name, Object value) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + ", expected 0 or more");
    }
  }

  /// These limits with another maximum size of the received body.
  public ExchangeLimits withMaxBody(long bytes) {
    return new ExchangeLimits(bytes, minReceiveRate, minSendRate, idleTimeout);
  }

  /// These limits with other minimum rates, in bytes a second.
  public ExchangeLimits withMinRates(int receive, int send) {
    return new ExchangeLimits(maxBody, receive, send, idleTimeout);
  }

  /// These limits with another idle timeout.
  public ExchangeLimits withIdleTimeout(Duration timeout) {
    return new ExchangeLimits(maxBody, minReceiveRate, minSendRate, timeout);
  }
}
