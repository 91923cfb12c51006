package dev.quickwater.http;

import org.jspecify.annotations.Nullable;

/// How an exchange ended.
///
/// @param kind what ended the exchange
/// @param code the code of a reset, otherwise [ResetCode#NO_ERROR]
/// @param status the status of the response whose head was sent or received, or null
/// @param bytesReceived bytes of the body that was received
/// @param bytesSent bytes of the body that was sent
/// @param cause the failure, or null
public record Outcome(
    Kind kind,
    ResetCode code,
    @Nullable HttpStatus status,
    long bytesReceived,
    long bytesSent,
    @Nullable Throwable cause) {

  /// What ended an exchange.
  public enum Kind {
    /// The response is complete.
    COMPLETED,
    /// This side reset the exchange.
    RESET,
    /// The peer reset the exchange.
    PEER_RESET,
    /// The connection ended first.
    PEER_GONE,
    /// A limit of time or rate was reached.
    TIMEOUT
  }

  /// True if the response is complete.
  public boolean isCompleted() {
    return kind == Kind.COMPLETED;
  }

  /// True if the peer cannot have processed the request. It can then be repeated safely.
  public boolean isUnprocessed() {
    return code == ResetCode.REFUSED;
  }
}
