package dev.quickwater.channel.spi;

import dev.quickwater.common.Timer;
import java.time.Duration;
import java.util.function.Supplier;

/// Fails a channel whose peer takes nothing of what was flushed for `stallTimeout`.
///
/// It exists while flushed bytes wait. One timer looks at the last progress when it fires, because
/// progress happens often and must only cost a store. Loop thread only.
public final class StallWatch implements Runnable {

  private final ChannelEvents events;
  private final Supplier<Throwable> reason;
  private Timer timer;
  private long lastProgress;

  /// Starts to watch. When nothing was taken for too long, the channel fails with `reason`.
  public StallWatch(ChannelEvents events, Supplier<Throwable> reason) {
    this.events = events;
    this.reason = reason;
    lastProgress = events.loop().now();
    timer = events.loop().schedule(this, events.settings().timeouts().stallTimeout());
  }

  /// The peer has taken something.
  public void progress() {
    lastProgress = events.loop().now();
  }

  /// Nothing is reported from here on.
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
