package dev.quickwater.http;

/// The user event that a tunnel's handlers receive when the connection of the tunnel begins to
/// drain, in every version of HTTP: on a server that stops, after GOAWAY of the peer, or after
/// [HttpConnection#drain]. The drain waits until the tunnel has closed, or until its limit. A
/// handler whose protocol has an orderly end begins it, for example a WebSocket with the status
/// 1001; other handlers pass the event on.
public enum TunnelDrain {
  /// The only value.
  INSTANCE
}
