package dev.quickwater.channel.spi;

/// The methods of a readiness transport that its poller calls. Loop thread only; neither method
/// throws.
public interface Driver {

  /// The socket is ready for `ready`, a mask of [ReadinessSocket#READ] and [ReadinessSocket#WRITE].
  void ready(int ready);

  /// The socket has an error, or both directions have ended. The kernel reports this even if no
  /// events are requested.
  ///
  /// @return true if the poller keeps watching the socket. False if the driver requests no events.
  ///   The poller then ignores the socket until the next [ReadinessSocket#interest], because the
  ///   kernel would report the same error repeatedly.
  boolean broken();
}
