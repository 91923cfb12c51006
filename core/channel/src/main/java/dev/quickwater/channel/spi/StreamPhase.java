package dev.quickwater.channel.spi;

/// The state of a stream socket between opening and closing.
///
/// ```
///  CONNECTING -connected or failed-> OPEN -input ended-> INPUT_ENDED -output ended-> BOTH_ENDED
///                                     |                                                ^
///                                     +---output ended-> OUTPUT_ENDED -input ended-----+
/// ```
///
/// A direction does not end while the socket connects: the channel is not open then.
enum StreamPhase {
  CONNECTING,
  OPEN,
  INPUT_ENDED,
  OUTPUT_ENDED,
  BOTH_ENDED;

  boolean hasInputEnded() {
    return this == INPUT_ENDED || this == BOTH_ENDED;
  }

  boolean hasOutputEnded() {
    return this == OUTPUT_ENDED || this == BOTH_ENDED;
  }

  /// The peer has ended its direction.
  StreamPhase inputEnded() {
    return hasOutputEnded() ? BOTH_ENDED : INPUT_ENDED;
  }

  /// Our direction has ended.
  StreamPhase outputEnded() {
    return hasInputEnded() ? BOTH_ENDED : OUTPUT_ENDED;
  }
}
