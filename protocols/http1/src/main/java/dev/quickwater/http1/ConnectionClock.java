package dev.quickwater.http1;

import dev.quickwater.http.ExchangeLimits;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The deadlines and rates of a connection. Pure: the caller passes the time in nanoseconds of the
/// loop's clock, and receives the deadline that has expired.
///
/// - A connection waits for one thing at a time ([Wait]), with one deadline. During an exchange two
///   limits apply: the idle timeout, which starts again with each progress, and the minimum rate of
///   a body. The rate is measured in windows of five seconds, which pause while the body is not
///   read.
/// - While bytes are queued, the peer must accept them at a minimum rate, measured in windows of 30
///   seconds. This is the default of the channel's stall timeout; the kernels of both sides may
///   delay data for seconds. A peer that has accepted all bytes that were queued at the start of a
///   window is never too slow.
final class ConnectionClock {

  /// No deadline.
  static final long NEVER = Long.MAX_VALUE;

  private static final long TRIM_AFTER = TimeUnit.SECONDS.toNanos(2);
  private static final long BODY_WINDOW = TimeUnit.SECONDS.toNanos(5);
  static final long SEND_WINDOW = TimeUnit.SECONDS.toNanos(30);

  /// What a connection waits for.
  enum Wait {
    /// The first byte of a request.
    REQUEST,
    HEAD,
    /// A body that a reader has requested.
    BODY,
    /// The application, or the peer that receives a response.
    ANSWER,
    /// The end of a body that is dropped.
    DISCARD,
    /// The peer, which must accept the written bytes; no exchange is open.
    SEND
  }

  /// What has expired.
  enum Expiry {
    NOTHING,
    /// The connection has been idle for so long that memory kept for the next request is released.
    TRIM,
    KEEP_ALIVE,
    HEAD,
    BODY_RATE,
    EXCHANGE_IDLE,
    DISCARD,
    SEND_RATE
  }

  private final Http1Settings settings;
  private Wait wait = Wait.REQUEST;
  private boolean trimmed = true;

  /// When the wait began; for an exchange, when it last made progress.
  private long since;

  /// Bytes that the peer had accepted at the last check.
  private long accepted;

  /// Null until an exchange has a body.
  private @Nullable BodyWindow body;

  /// Null while nothing waits to be sent.
  private @Nullable SendWindow sending;

  /// The window of a body's rate.
  private static final class BodyWindow {
    private long bytes;

    /// Nanoseconds of the window before the last pause.
    private long spent;

    private long resumed;

    long left(long now) {
      return BODY_WINDOW - spent - (now - resumed);
    }
  }

  /// The window of the output's rate.
  ///
  /// @param end when it ends
  /// @param written bytes that were written before the window began
  /// @param sent bytes of `written` that were sent before the window began
  private record SendWindow(long end, long written, long sent) {}

  ConnectionClock(Http1Settings settings) {
    this.settings = settings;
  }

  /// The connection is open.
  void start(long now) {
    since = now;
  }

  /// The connection waits for `next` from `now` on.
  void waitFor(Wait next, long now) {
    if (next == wait) {
      return;
    }
    if (wait == Wait.BODY) {
      window().spent += now - window().resumed;
    }
    if (next == Wait.BODY) {
      window().resumed = now;
    }
    boolean sameExchange = isExchange(wait) && isExchange(next);
    if (!isExchange(next)) {
      body = null;
    }
    wait = next;
    if (!sameExchange) {
      since = now;
    }
  }

  private static boolean isExchange(Wait wait) {
    return wait == Wait.BODY || wait == Wait.ANSWER;
  }

  /// A request was begun.
  void exchangeBegan(long now) {
    wait = Wait.ANSWER;
    trimmed = false;
    since = now;
    body = null;
  }

  private BodyWindow window() {
    @Nullable BodyWindow current = body;
    if (current == null) {
      current = new BodyWindow();
      body = current;
    }
    return current;
  }

  /// Bytes of the body were received.
  void received(int bytes, long now) {
    window().bytes += bytes;
    since = now;
  }

  /// The exchange made progress: bytes of the response were written, or the application acted.
  void progressed(long now) {
    since = now;
  }

  /// The number of queued bytes has changed.
  ///
  /// @param written bytes ever written
  /// @param unsent those of them that the kernel has not taken
  void output(long written, long unsent, long now) {
    observe(written - unsent, now);
    if (unsent == 0) {
      sending = null;
    } else if (sending == null) {
      sending = new SendWindow(now + SEND_WINDOW, written, written - unsent);
    }
  }

  /// An exchange makes progress while the peer accepts its response, which may be one large file.
  private void observe(long sent, long now) {
    if (sent != accepted) {
      accepted = sent;
      if (isExchange(wait)) {
        since = now;
      }
    }
  }

  /// Nanoseconds until [#check] is due, or [#NEVER].
  long remaining(ExchangeLimits limits, long now) {
    long left = NEVER;
    switch (wait) {
      case REQUEST -> left = since + requestLimit() - now;
      case HEAD -> left = since + settings.timeouts().head().toNanos() - now;
      case DISCARD -> left = since + settings.input().discardTimeout().toNanos() - now;
      case BODY -> {
        left = idleLeft(limits, now);
        if (limits.minReceiveRate() > 0) {
          left = Math.min(left, window().left(now));
        }
      }
      case ANSWER -> left = idleLeft(limits, now);
      case SEND -> left = since + settings.timeouts().keepAlive().toNanos() - now;
    }
    if (sending != null && limits.minSendRate() > 0) {
      left = Math.min(left, sending.end - now);
    }
    return left == NEVER ? NEVER : Math.max(left, 1);
  }

  private long idleLeft(ExchangeLimits limits, long now) {
    return limits.idleTimeout().isZero() ? NEVER : since + limits.idleTimeout().toNanos() - now;
  }

  /// What has expired by now.
  ///
  /// @param written bytes ever written
  /// @param unsent those of them that the kernel has not taken
  Expiry check(ExchangeLimits limits, long written, long unsent, long now) {
    @Nullable SendWindow window = sending;
    if (window != null && limits.minSendRate() > 0 && window.end - now <= 0) {
      long sent = written - unsent;
      long min = limits.minSendRate() * TimeUnit.NANOSECONDS.toSeconds(SEND_WINDOW);
      if (unsent > 0 && sent < window.written && sent - window.sent < min) {
        return Expiry.SEND_RATE;
      }
      sending = unsent == 0 ? null : new SendWindow(now + SEND_WINDOW, written, sent);
    }
    observe(written - unsent, now);
    return switch (wait) {
      case REQUEST -> checkRequest(now);
      case HEAD -> expired(settings.timeouts().head().toNanos(), now, Expiry.HEAD);
      case DISCARD -> expired(settings.input().discardTimeout().toNanos(), now, Expiry.DISCARD);
      case BODY -> checkBody(limits, now);
      case ANSWER -> checkIdle(limits, now);
      case SEND -> {
        since = now; // the caller decides again what it waits for
        yield Expiry.NOTHING;
      }
    };
  }

  private long requestLimit() {
    long keepAlive = settings.timeouts().keepAlive().toNanos();
    return trimmed ? keepAlive : Math.min(TRIM_AFTER, keepAlive);
  }

  private Expiry checkRequest(long now) {
    Expiry expiry = expired(settings.timeouts().keepAlive().toNanos(), now, Expiry.KEEP_ALIVE);
    if (expiry == Expiry.NOTHING && !trimmed && now - since >= TRIM_AFTER) {
      trimmed = true;
      return Expiry.TRIM;
    }
    return expiry;
  }

  private Expiry expired(long limit, long now, Expiry expiry) {
    return now - since >= limit ? expiry : Expiry.NOTHING;
  }

  private Expiry checkIdle(ExchangeLimits limits, long now) {
    return limits.idleTimeout().isZero()
        ? Expiry.NOTHING
        : expired(limits.idleTimeout().toNanos(), now, Expiry.EXCHANGE_IDLE);
  }

  private Expiry checkBody(ExchangeLimits limits, long now) {
    BodyWindow window = window();
    if (limits.minReceiveRate() > 0 && window.left(now) <= 0) {
      if (window.bytes < limits.minReceiveRate() * TimeUnit.NANOSECONDS.toSeconds(BODY_WINDOW)) {
        return Expiry.BODY_RATE;
      }
      window.bytes = 0;
      window.spent = 0;
      window.resumed = now;
    }
    return checkIdle(limits, now);
  }
}
