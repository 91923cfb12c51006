package dev.quickwater.channel.spi;

/// The side of a readiness transport that its poller calls. Loop thread only; neither method
/// throws.
public interface Driver {

  /// The socket is ready for `ready`, a mask of [ReadinessSocket#READ] and [ReadinessSocket#WRITE].
  void ready(int ready);

  /// The socket has an error, or both its directions have ended, which the kernel reports for every
  /// interest.
  ///
  /// @return true if the socket may stay with the poller; false if the poller has to leave it out
  ///   until [ReadinessSocket#interest] is next called, because nothing is wanted of it and the
  ///   kernel would report it again and again
  boolean broken();
}
