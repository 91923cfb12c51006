package dev.quickwater.tls;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Timer;
import org.jspecify.annotations.Nullable;

/// Limits and reports the handshake of one channel: the rate of its peer, the deadline, the
/// counters and the JFR event. Loop thread only.
final class HandshakeWatch {

  private static final System.Logger LOG = System.getLogger(HandshakeWatch.class.getName());

  private final TlsContext tls;
  private @Nullable Timer deadline;
  private @Nullable TlsHandshakeEvent event;

  HandshakeWatch(TlsContext tls) {
    this.tls = tls;
  }

  private TlsLimits limits() {
    return tls.settings().engine().limits();
  }

  /// Counts a handshake of a peer, and returns whether the peer may begin it.
  boolean permits(Channel channel) {
    if (tls.rate().permits(channel.remoteAddress(), channel.loop().now())) {
      return true;
    }
    tls.counters().refused();
    LOG.log(
        System.Logger.Level.DEBUG,
        () ->
            channel.remoteAddress()
                + " began more handshakes than maxHandshakesPerSecond, "
                + limits().maxHandshakesPerSecond());
    return false;
  }

  /// Starts the deadline and the JFR event.
  ///
  /// @param timedOut runs if neither [#completed], [#failed] nor [#cancel] is called in time
  void begin(EventLoop loop, Runnable timedOut) {
    deadline = loop.schedule(timedOut, limits().handshakeTimeout());
    TlsHandshakeEvent made = new TlsHandshakeEvent();
    if (made.isEnabled()) {
      made.begin();
      event = made;
    }
  }

  /// The failure of a handshake that timed out.
  TlsException tooLong() {
    return TlsException.local(
        TlsAlert.USER_CANCELED,
        "the TLS handshake took longer than handshakeTimeout, " + limits().handshakeTimeout());
  }

  void completed(Channel channel, TlsSession agreed) {
    tls.counters().completed(agreed.resumed());
    end(channel, agreed, null);
  }

  void failed(Channel channel, Throwable failure) {
    tls.counters().failed();
    end(channel, null, failure);
  }

  private void end(Channel channel, @Nullable TlsSession agreed, @Nullable Throwable failure) {
    cancel();
    @Nullable TlsHandshakeEvent ended = event;
    event = null;
    if (ended != null) {
      ended.peer = String.valueOf(channel.remoteAddress());
      if (agreed != null) {
        ended.complete(agreed);
      }
      ended.failure = failure == null ? null : failure.getMessage();
      ended.commit();
    }
  }

  /// Cancels the deadline.
  void cancel() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }
}
