package dev.quickwater.channel.spi;

import dev.quickwater.common.Timer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Fails a channel whose peer takes nothing of what was flushed for `stallTimeout`.
///
/// It exists from a drain that leaves flushed bytes to one that leaves none. One timer looks at the
/// last progress when it fires, because progress happens often and must only cost a store.
final class StallWatch implements Runnable {

  private final ChannelEvents events;
  private final StreamOutput output;
  private Timer timer;
  private long lastProgress;

  StallWatch(ChannelEvents events, StreamOutput output) {
    this.events = events;
    this.output = output;
    lastProgress = events.loop().now();
    timer = events.loop().schedule(this, events.settings().timeouts().stallTimeout());
  }

  void progress() {
    lastProgress = events.loop().now();
  }

  void stop() {
    timer.cancel();
  }

  @Override
  public void run() {
    long waited = events.loop().now() - lastProgress;
    long left = events.settings().timeouts().stallTimeout().toNanos() - waited;
    if (left > 0) {
      timer = events.loop().schedule(this, Duration.ofNanos(left));
      return;
    }
    @Nullable IOException failure = output.failure();
    events.failed(
        failure != null
            ? failure
            : new SocketTimeoutException(
                "the peer took none of "
                    + output.flushedBytes()
                    + " flushed bytes within stallTimeout, "
                    + events.settings().timeouts().stallTimeout()));
  }
}
