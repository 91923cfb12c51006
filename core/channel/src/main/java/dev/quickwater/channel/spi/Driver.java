package dev.quickwater.channel.spi;

/// The methods of a readiness transport that its poller calls. Loop thread only; neither method
/// throws.
public interface Driver {

  /// The socket is ready for `ready`, a mask of [ReadinessSocket#READ] and [ReadinessSocket#WRITE].
  void ready(int ready);

  /// The socket has an error, or both directions have ended. The kernel reports this for every
  /// interest.
  ///
  /// @return true if the poller may keep watching the socket; false if it has to ignore the socket
  ///   until the next [ReadinessSocket#interest], because the driver has no interest and the kernel
  ///   would report the error again and again
  boolean broken();
}
