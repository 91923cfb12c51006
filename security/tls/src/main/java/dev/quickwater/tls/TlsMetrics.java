package dev.quickwater.tls;

/// The figures of a [TlsContext] since it was created.
///
/// @param handshakes completed handshakes, resumed ones included
/// @param resumed handshakes that resumed a session
/// @param failed handshakes that began and did not complete
/// @param refused connections that were closed because of [TlsLimits#maxHandshakesPerSecond]
public record TlsMetrics(long handshakes, long resumed, long failed, long refused) {}
