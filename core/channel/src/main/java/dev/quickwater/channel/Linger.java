package dev.quickwater.channel;

import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits of a graceful close: how long to wait for the peer, and how many input bytes to
/// discard. [Channel#closeGracefully] sets both. Loop thread only.
///
/// - **Time** counts from the end of our direction. An earlier close would lose the last message.
///   Until our direction ends, the stall watch detects a peer that reads nothing.
/// - **Bytes** count from the start of the close. Above the limit the channel closes if our
///   direction has ended. Otherwise the channel stops reading and closes when the output was sent,
///   so that a peer that floods and reads slowly causes no further work.
final class Linger implements Phase {

  private final ChannelCore core;
  private final EventLoop loop;
  private final Duration limit;
  private final long maxBytes;
  private long bytesLeft;
  private boolean waiting;
  private @Nullable Timer timer;

  Linger(ChannelCore core, EventLoop loop, Duration limit, long maxBytes) {
    this.core = core;
    this.loop = loop;
    this.limit = limit;
    this.maxBytes = maxBytes;
    this.bytesLeft = maxBytes;
  }

  /// Our direction has ended. A time limit of zero closes at once.
  void awaitPeer() {
    waiting = true;
    if (isExceeded()) {
      closeExceeded();
    } else if (limit.isPositive()) {
      timer = loop.schedule(() -> core.close(Outcome.Kind.CLOSED, null), limit);
    } else {
      core.close(Outcome.Kind.CLOSED, null);
    }
  }

  /// Counts discarded input.
  ///
  /// @return false if the channel should stop reading until our direction has ended
  boolean discarded(long bytes) {
    bytesLeft -= bytes;
    if (isExceeded() && waiting) {
      closeExceeded();
    }
    return waiting || !isExceeded();
  }

  /// True if the peer has sent more than the limit.
  boolean isExceeded() {
    return bytesLeft < 0;
  }

  private void closeExceeded() {
    core.close(Outcome.Kind.FAILED, new LingerLimitException(maxBytes));
  }

  @Override
  public void end() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
