package dev.quickwater.tls;

import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A connection failed by the rules of TLS. The connection is unusable afterwards.
///
/// The message names what failed, for which certificate or name, and the setting that permits it if
/// there is one. There is no stack trace: the peer can cause the failure often, and the place in
/// our code does not explain it.
public final class TlsException extends SSLException {

  private static final long serialVersionUID = 1L;

  /// Which side ended the connection.
  public enum Side {
    /// This side ended the connection. It sends the alert if it can; see [TlsEngine].
    LOCAL,
    /// The peer sent the alert.
    PEER,
    /// The transport ended without an alert.
    TRANSPORT
  }

  private final @Nullable TlsAlert alert;
  private final Side side;

  private TlsException(
      Side side, @Nullable TlsAlert alert, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.alert = alert;
    this.side = side;
  }

  /// This side refuses what the peer sent.
  public static TlsException local(TlsAlert alert, String message) {
    return new TlsException(Side.LOCAL, alert, message, null);
  }

  /// This side refuses what the peer sent, because of another failure.
  public static TlsException local(TlsAlert alert, String message, Throwable cause) {
    return new TlsException(Side.LOCAL, alert, message, cause);
  }

  /// The peer refused the connection.
  ///
  /// @param alert null if the number is not in [TlsAlert]
  public static TlsException received(@Nullable TlsAlert alert, String message) {
    return new TlsException(Side.PEER, alert, message, null);
  }

  /// The transport ended before the peer sent close_notify, so data may be missing (RFC 8446
  /// section 6.1).
  public static TlsException truncated(String message) {
    return new TlsException(Side.TRANSPORT, null, message, null);
  }

  /// The alert for the failure, or the one that the peer sent; null if there is none, or if its
  /// number is unknown.
  public @Nullable TlsAlert alert() {
    return alert;
  }

  /// Which side ended the connection.
  public Side side() {
    return side;
  }

  /// True if the transport ended without close_notify.
  public boolean isTruncation() {
    return side == Side.TRANSPORT;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
