package dev.quickwater.http2;

/// Why the streams that closed last were closed. Frames of a closed stream may still be on their
/// way, and how they are treated depends on the reason (RFC 9113 section 5.1).
///
/// It remembers [#SIZE] streams. A frame of an older stream is treated as a violation.
final class ClosedStreams {

  /// Why a stream was closed.
  enum Reason {
    /// Both sides ended it: the peer may send nothing more.
    ENDED,
    /// This side reset it: frames that the peer sent before it received the reset are dropped.
    RESET_SENT,
    /// The peer reset it: the peer may send nothing more.
    RESET_RECEIVED,
    /// Not remembered, or never opened.
    UNKNOWN
  }

  private static final int SIZE = 128;
  private static final int REASON_BITS = 2;
  private static final Reason[] REASONS = Reason.values();

  /// Stream ids and reasons, oldest overwritten first; empty until the first stream closes.
  private long[] ring = {};

  private int next;

  void add(int stream, Reason reason) {
    if (next == ring.length && next < SIZE) {
      ring = java.util.Arrays.copyOf(ring, Math.max(8, 2 * ring.length));
    }
    ring[next & ring.length - 1] = (long) stream << REASON_BITS | number(reason);
    next++;
    if (next == 2 * SIZE) {
      next = SIZE; // stays above the length, in the same place of the ring
    }
  }

  private static int number(Reason reason) {
    return switch (reason) {
      case ENDED -> 0;
      case RESET_SENT -> 1;
      case RESET_RECEIVED -> 2;
      case UNKNOWN -> 3;
    };
  }

  /// Why a stream was closed. Its cost is linear in [#SIZE].
  Reason reason(int stream) {
    for (long entry : ring) {
      if ((int) (entry >>> REASON_BITS) == stream) {
        return REASONS[(int) entry & (1 << REASON_BITS) - 1];
      }
    }
    return Reason.UNKNOWN;
  }
}
