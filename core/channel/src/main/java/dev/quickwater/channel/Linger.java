package dev.quickwater.channel;

import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits of a graceful close. Both count from the end of our direction: before it, the stall
/// watch detects a peer that takes nothing, and closing would lose our last message. Loop thread
/// only.
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

  /// Our direction has ended.
  void awaitPeer() {
    waiting = true;
    if (limit.isPositive()) {
      timer = loop.schedule(this::close, limit);
    } else {
      close();
    }
  }

  /// Counts discarded input.
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
