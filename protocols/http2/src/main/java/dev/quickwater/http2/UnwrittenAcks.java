package dev.quickwater.http2;

/// Counts acknowledgements that were not sent, because the peer does not read.
///
/// Acknowledgements that were written since the last flush do not count: the peer could not read
/// them. A turn of the loop, which ends with a flush, interprets a bounded number of frames.
///
/// The count has two generations, because a busy connection always has unsent bytes. When all bytes
/// of the older generation are sent, the newer generation becomes the older one. This needs no
/// position for each acknowledgement; the count is too high by at most one generation.
final class UnwrittenAcks {

  /// Written since the last flush.
  private int unflushed;

  private int older;
  private int newer;

  /// The bytes written when the older generation ended.
  private long olderEnd;

  /// Counts an acknowledgement that was written.
  void add() {
    unflushed++;
  }

  int count() {
    return older + newer;
  }

  /// True if no acknowledgement is written and not sent.
  boolean isEmpty() {
    return unflushed + older + newer == 0;
  }

  /// Removes acknowledgements that were sent from the count. Called after a flush.
  ///
  /// @param written bytes written since the connection opened
  /// @param unsent the part of `written` that was not sent
  void sent(long written, long unsent) {
    newer += unflushed;
    unflushed = 0;
    if (unsent == 0) {
      older = 0;
      newer = 0;
    } else if (written - unsent >= olderEnd) {
      older = newer;
      newer = 0;
      olderEnd = written;
    }
  }
}
