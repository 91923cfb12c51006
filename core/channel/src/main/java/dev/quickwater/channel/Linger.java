package dev.quickwater.channel;

import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits of a graceful close: how long to wait for the peer, and how many input bytes to
/// discard. [Channel#closeGracefully] sets both. They apply only after our direction has ended.
/// Closing earlier would lose the last message; until then the stall watch detects a peer that
/// reads nothing. Loop thread only.
final class Linger implements Phase {

  private final ChannelCore core;
  private final EventLoop loop;
  private final Duration limit;
  private long bytesLeft;
  private boolean waiting;
  private @Nullable Timer timer;

  Linger(ChannelCore core, EventLoop loop, Duration limit, long maxBytes) {
    this.core = core;
    this.loop = loop;
    this.limit = limit;
    this.bytesLeft = maxBytes;
  }

  /// Applies the limits from now on, because our direction has ended. A time limit of zero closes
  /// at once.
  void awaitPeer() {
    waiting = true;
    if (limit.isPositive()) {
      timer = loop.schedule(this::close, limit);
    } else {
      close();
    }
  }

  /// Counts discarded input and closes above the byte limit. Does nothing before [#awaitPeer].
  void discarded(long bytes) {
    if (waiting) {
      bytesLeft -= bytes;
      if (bytesLeft < 0) {
        close();
      }
    }
  }

  private void close() {
    core.close(Outcome.Kind.CLOSED, null);
  }

  @Override
  public void end() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
