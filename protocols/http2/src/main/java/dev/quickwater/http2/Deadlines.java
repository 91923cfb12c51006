package dev.quickwater.http2;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.AbstractExchange;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The deadlines of a connection and of its streams. One timer serves all of them.
///
/// - The peer's settings, the acknowledgement of ours, and the rest of a header block must arrive
///   within `Timeouts.head`.
/// - A connection without streams is closed after `Timeouts.keepAlive`. A connection that exceeds
///   `Timeouts.maxAge` drains.
/// - Each open stream is checked once a second: its progress, the rate of its body, and the time
///   for dropping an unread body.
///
/// Times are nanoseconds of the loop's clock. Loop only.
final class Deadlines {

  private static final long TICK = TimeUnit.SECONDS.toNanos(1);
  private static final long TRIM_AFTER = TimeUnit.SECONDS.toNanos(2);
  private static final long DISCARD_TIME = TimeUnit.SECONDS.toNanos(1);

  private final Http2Engine engine;
  private final Http2Settings.Timeouts timeouts;

  private long started;

  /// When the last frame arrived.
  private long heard;

  /// When the last stream ended.
  private long idleSince;

  /// When a keep-alive ping was sent; 0 for none.
  private long pingSent;

  /// When the first GOAWAY of a drain was sent.
  private long announced;

  private long nextTick;

  /// Memory for the next request was released.
  private boolean trimmed = true;

  /// When the header block began that is incomplete; 0 for none.
  private long blockBegan;

  Deadlines(Http2Engine engine) {
    this.engine = engine;
    this.timeouts = engine.settings.timeouts();
  }

  /// The connection is open.
  void start() {
    started = engine.io.now();
    heard = started;
    idleSince = started;
    nextTick = started + TICK;
  }

  /// Frames have arrived.
  void hear() {
    heard = engine.io.now();
  }

  /// When the last frames arrived.
  long heard() {
    return heard;
  }

  /// Frames were interpreted.
  ///
  /// @param inside true if the last header block is incomplete
  void insideBlock(boolean inside) {
    if (!inside) {
      blockBegan = 0;
    } else if (blockBegan == 0) {
      blockBegan = heard;
    }
  }

  /// A stream was opened.
  void busy() {
    trimmed = false;
  }

  /// The last stream has ended.
  void idle() {
    idleSince = engine.io.now();
  }

  /// The first GOAWAY of a drain was sent.
  void drainAnnounced() {
    announced = engine.io.now();
  }

  /// A keep-alive ping was acknowledged.
  void pingAcknowledged() {
    pingSent = 0;
  }

  /// Requests the timer for the next deadline.
  void update() {
    if (!engine.closing.interprets()) {
      return;
    }
    long now = engine.io.now();
    long due;
    if (engine.closing == Http2Engine.Closing.ANNOUNCED) {
      due = announced + TICK;
    } else if (!engine.isSetUp()) {
      due = started + timeouts.head().toNanos();
    } else if (engine.streams.isEmpty()) {
      long keepAlive = timeouts.keepAlive().toNanos();
      due = idleSince + (trimmed ? keepAlive : Math.min(TRIM_AFTER, keepAlive));
    } else {
      due = nextTick;
    }
    if (!engine.streams.isEmpty() && due - nextTick > 0) {
      due = nextTick;
    }
    if (!timeouts.maxAge().isZero() && engine.closing == Http2Engine.Closing.OPEN) {
      due = Math.min(due, started + timeouts.maxAge().toNanos());
    }
    if (blockBegan != 0) {
      due = Math.min(due, blockBegan + timeouts.head().toNanos());
    }
    engine.io.wakeAfter(Math.max(1, due - now));
  }

  /// The timer has fired.
  void fired() {
    if (!engine.closing.interprets()) {
      return;
    }
    long now = engine.io.now();
    if (!engine.isSetUp() && now - started >= timeouts.head().toNanos()) {
      engine.connectionError(
          Http2Exception.connection(
              ErrorCode.SETTINGS_TIMEOUT,
              "SETTINGS, or their acknowledgement, took too long to arrive"));
      return;
    }
    if (blockBegan != 0 && now - blockBegan >= timeouts.head().toNanos()) {
      engine.connectionError(
          Http2Exception.connection(
              ErrorCode.ENHANCE_YOUR_CALM, "a header block took too long to arrive"));
      return;
    }
    if (engine.closing == Http2Engine.Closing.ANNOUNCED && now - announced >= TICK) {
      engine.lastStreams();
    } else if (engine.closing == Http2Engine.Closing.OPEN && isTooOld(now)) {
      engine.drain();
    }
    if (engine.streams.isEmpty()) {
      if (engine.closing == Http2Engine.Closing.OPEN
          && now - idleSince >= timeouts.keepAlive().toNanos()) {
        engine.frames.goAway(engine.lastRemote(), ErrorCode.NO_ERROR, "");
        engine.finish();
        return;
      }
      if (!trimmed && now - idleSince >= TRIM_AFTER) {
        trimmed = true;
        engine.trim();
      }
    } else if (now - nextTick >= 0) {
      nextTick = now + TICK;
      tick(now);
    }
    if (engine.closing.interprets()) {
      engine.turnEnds();
    }
  }

  private boolean isTooOld(long now) {
    return !timeouts.maxAge().isZero() && now - started >= timeouts.maxAge().toNanos();
  }

  private void tick(long now) {
    if (pingSent != 0) {
      if (now - pingSent >= timeouts.pingTimeout().toNanos()) {
        Http2Engine.LOG.log(
            System.Logger.Level.DEBUG, "{0} does not acknowledge a ping", engine.io.peer());
        engine.peerGone(null);
        return;
      }
    } else if (!timeouts.pingInterval().isZero()
        && now - heard >= timeouts.pingInterval().toNanos()) {
      pingSent = now;
      engine.frames.ping(Http2Engine.KEEP_ALIVE_PING, false);
    }
    engine.streams.forEach(stream -> check(stream, now));
  }

  /// True if the peer accepts what is queued at less than the required rate.
  private static boolean acceptsTooSlowly(Stream stream, ExchangeLimits limits, long now) {
    if (stream.queued == 0 || limits.minSendRate() == 0) {
      stream.sending = null;
      return false;
    }
    @Nullable BodyRate rate = stream.sending;
    if (rate == null) {
      rate = new BodyRate(BodyRate.SEND_WINDOW);
      rate.resume(now);
      stream.sending = rate;
      return false;
    }
    return rate.isTooSlow(now, limits.minSendRate());
  }

  private void check(Stream stream, long now) {
    if (stream.tunnel != null) {
      return; // the channel has limits of its handlers and a stall watch
    }
    @Nullable AbstractExchange exchange = stream.exchange;
    if (stream.discarding && now - stream.progressed >= DISCARD_TIME) {
      engine.reset(stream, ErrorCode.NO_ERROR);
      return;
    }
    ExchangeLimits limits =
        exchange == null || exchange.isOver() ? engine.settings.exchanges() : exchange.limits();
    if (acceptsTooSlowly(stream, limits, now)) {
      engine.reset(stream, ErrorCode.CANCEL);
      if (exchange != null) {
        exchange.terminated(Outcome.Kind.TIMEOUT, ResetCode.CANCEL, null);
      }
      return;
    }
    if (exchange == null || exchange.isOver()) {
      if (now - stream.progressed >= engine.settings.exchanges().idleTimeout().toNanos()
          && !engine.settings.exchanges().idleTimeout().isZero()) {
        engine.reset(stream, ErrorCode.CANCEL); // the peer accepts no bytes
      }
      return;
    }
    if (limits.minReceiveRate() > 0 && engine.checksReceiveRate(stream)) {
      @Nullable BodyRate rate = stream.rate;
      if (rate == null) {
        if (exchange.wantsBody()) {
          rate = new BodyRate(BodyRate.RECEIVE_WINDOW);
          rate.resume(now);
          stream.rate = rate;
        }
      } else if (!exchange.wantsBody()) {
        rate.resume(now);
      } else if (rate.isTooSlow(now, limits.minReceiveRate())) {
        engine.timedOut(stream, exchange, "the body arrived too slowly");
        return;
      }
    }
    if (!limits.idleTimeout().isZero()
        && now - stream.progressed >= limits.idleTimeout().toNanos()) {
      engine.timedOut(stream, exchange, "no progress within the idle timeout");
      return;
    }
    engine.checkDeadlines(stream, exchange, now);
  }
}
