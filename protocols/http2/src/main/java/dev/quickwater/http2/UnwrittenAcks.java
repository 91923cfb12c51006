package dev.quickwater.http2;

/// Counts acknowledgements that the peer has not read: their bytes are not sent yet.
///
/// The count has two generations, because a busy connection always has unsent bytes. When all bytes
/// of the older generation are sent, the newer generation becomes the older one. This needs no
/// position for each acknowledgement; the count is too high by at most one generation.
final class UnwrittenAcks {

  private int older;
  private int newer;

  /// The bytes written when the older generation ended.
  private long olderEnd;

  /// Counts an acknowledgement that was written.
  void add() {
    newer++;
  }

  int count() {
    return older + newer;
  }

  /// Removes acknowledgements that were sent from the count. Called after a flush.
  ///
  /// @param written bytes written since the connection opened
  /// @param unsent the part of `written` that was not sent
  void sent(long written, long unsent) {
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
