package dev.quickwater.channel;

import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// A connect attempt; exists while the channel connects. Cancelling its promise closes the channel;
/// so does `connectTimeout`. Loop thread only.
final class ConnectAttempt implements Phase {

  final Promise<Channel> promise;
  private @Nullable Timer timer;

  /// An attempt that completes `promise`. [#start] begins it and may close the channel at once.
  ConnectAttempt(Promise<Channel> promise) {
    this.promise = promise;
  }

  void start(ChannelCore core, EventLoop loop, SocketAddress remote) {
    promise.onComplete(future -> {
      if (future.isCancelled()) {
        core.close(Outcome.Kind.CLOSED, null);
      }
    });
    if (core.state() == ChannelState.CONNECTING) {
      timer = loop.schedule(() -> core.failed(timeout(core, remote)), timeout(core));
    }
  }

  private static java.time.Duration timeout(ChannelCore core) {
    return core.settings().timeouts().connectTimeout();
  }

  private static SocketTimeoutException timeout(ChannelCore core, SocketAddress remote) {
    return new SocketTimeoutException(
        "no connection to " + remote + " within connectTimeout, " + timeout(core));
  }

  @Override
  public void end() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
