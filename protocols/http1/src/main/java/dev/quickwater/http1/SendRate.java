package dev.quickwater.http1;

import dev.quickwater.channel.Channel;
import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Detects a peer that takes outbound data slower than a minimum rate.
///
/// While data waits to be sent, the rate is checked once in a window. The peer is too slow when it
/// took less than the rate requires *and* some of the data that waited at the start of the window
/// still waits: a peer that has taken everything it was sent is never too slow. A window is as long
/// as the default of [dev.quickwater.channel.ChannelTimeouts#stallTimeout], because the kernels of
/// both sides may delay data for seconds. A connection has a send rate only from a flush that the
/// kernel did not take completely to the end of a window in which everything was sent. Loop only.
final class SendRate implements Runnable {

  static final Duration WINDOW = Duration.ofSeconds(30);

  private final Channel channel;
  private final ResponseWriter writer;
  private final long leastInWindow;
  private final Http1ServerHandler owner;

  private @Nullable Timer timer;
  private long writtenBefore;
  private long sentBefore;

  /// Notifies `owner` when the peer is too slow, and when everything was sent.
  SendRate(Channel channel, ResponseWriter writer, int bytesPerSecond, Http1ServerHandler owner) {
    this.channel = channel;
    this.writer = writer;
    this.leastInWindow = bytesPerSecond * WINDOW.toSeconds();
    this.owner = owner;
  }

  /// Begins the first window.
  void beginWindow() {
    writtenBefore = writer.written();
    sentBefore = writtenBefore - writer.unsent();
    timer = channel.loop().schedule(this, WINDOW);
  }

  @Override
  public void run() {
    timer = null;
    long unsent = writer.unsent();
    if (unsent == 0) {
      owner.everythingSent();
      return;
    }
    long sent = writer.written() - unsent;
    if (sent < writtenBefore && sent - sentBefore < leastInWindow) {
      owner.responseTooSlow();
    } else {
      beginWindow();
    }
  }

  void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
