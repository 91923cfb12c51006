package dev.quickwater.channel.spi;

import dev.quickwater.common.Timer;
import java.time.Duration;
import java.util.function.Supplier;

/// Fails a channel whose peer takes none of the flushed bytes for `stallTimeout`.
///
/// Exists while flushed bytes wait. Progress happens often and only stores the time; a timer
/// compares the time when it fires. Loop thread only.
public final class StallWatch implements Runnable {

  private final ChannelEvents events;
  private final Supplier<Throwable> reason;
  private Timer timer;
  private long lastProgress;

  /// Starts to watch. At a stall the channel fails with `reason`.
  public StallWatch(ChannelEvents events, Supplier<Throwable> reason) {
    this.events = events;
    this.reason = reason;
    lastProgress = events.loop().now();
    timer = events.loop().schedule(this, events.settings().timeouts().stallTimeout());
  }

  /// Records that the peer has taken bytes.
  public void progress() {
    lastProgress = events.loop().now();
  }

  /// Stops watching.
  public void stop() {
    timer.cancel();
  }

  @Override
  public void run() {
    long waited = events.loop().now() - lastProgress;
    long left = events.settings().timeouts().stallTimeout().toNanos() - waited;
    if (left > 0) {
      timer = events.loop().schedule(this, Duration.ofNanos(left));
    } else {
      events.failed(reason.get());
    }
  }
}
