package dev.quickwater.http2;

/// The reasons for which the last streams were closed. Frames of a closed stream may still be in
/// flight; the reason decides how they are treated (RFC 9113 section 5.1).
///
/// It keeps [#SIZE] streams. Their ids are odd, because only clients open streams. A frame of an
/// older stream is treated as a violation.
final class ClosedStreams {

  /// Why a stream was closed.
  enum Reason {
    /// Both sides ended it: the peer may send nothing more.
    ENDED,
    /// This side reset it: frames that the peer sent before it received the reset are dropped.
    RESET_SENT,
    /// The peer reset it: the peer may send nothing more.
    RESET_RECEIVED,
    /// Not kept any longer, or never opened.
    UNKNOWN
  }

  private static final int SIZE = 128;
  private static final int REASON_BITS = 2;
  private static final Reason[] REASONS = Reason.values();

  /// Stream ids without their low bit, which is 1, and reasons, oldest overwritten first; empty
  /// until the first stream closes.
  private int[] ring = {};

  private int next;

  void add(int stream, Reason reason) {
    if (next == ring.length && next < SIZE) {
      ring = java.util.Arrays.copyOf(ring, Math.max(2, 2 * ring.length));
    }
    ring[next & ring.length - 1] = stream >>> 1 << REASON_BITS | number(reason);
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

  /// Why a stream was closed. The cost is linear in [#SIZE].
  Reason reason(int stream) {
    for (int i = 0; i < Math.min(next, ring.length); i++) {
      int entry = ring[i];
      if (entry >>> REASON_BITS == stream >>> 1) {
        return REASONS[entry & (1 << REASON_BITS) - 1];
      }
    }
    return Reason.UNKNOWN;
  }
}
