package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// Divides the bytes equally: round robin in which every stream sends the same number of bytes in a
/// round. Weights and priorities have no effect.
///
/// - **Chunks.** When a round begins, the bytes that may be sent are divided equally among the
///   streams, with at least [#MIN_CHUNK] for each. Few streams then send large frames; many streams
///   take turns.
/// - **Fair to a byte.** If a window is used up in the middle of a turn, the next call resumes the
///   turn. After a whole round all streams with enough queued bytes have sent the same number of
///   bytes. During a round they differ by at most one chunk.
/// - A stream that joins waits for the next round.
final class UniformDistributor implements Distributor {

  private static final byte WAITING = 1;
  private static final byte EMPTY_FRAME = 2;

  private final StreamList waiting = new StreamList(WAITING);
  private final StreamList emptyFrames = new StreamList(EMPTY_FRAME);

  /// The current round, 0 or 1. Streams with this number have had their turn.
  private byte round;

  /// Bytes of each turn of this round.
  private int chunk = MIN_CHUNK;

  /// Bytes that the first stream may still send in its turn; 0 if its turn has not begun.
  private int turn;

  @Override
  public void offer(StreamFlow s, int bytes, boolean emptyFrame) {
    s.offered = bytes;
    StreamList list = bytes > 0 ? waiting : emptyFrames;
    if (s.place != StreamList.NONE && !list.contains(s)) {
      unlink(s);
    }
    if (s.place == StreamList.NONE && (bytes > 0 || emptyFrame)) {
      s.round = round;
      list.addLast(s);
    } else if (bytes == 0 && !emptyFrame && s.place != StreamList.NONE) {
      unlink(s);
    }
  }

  @Override
  public void remove(StreamFlow s) {
    s.offered = 0;
    if (s.place != StreamList.NONE) {
      unlink(s);
    }
  }

  private void unlink(StreamFlow s) {
    if (waiting.contains(s)) {
      if (waiting.first() == s) {
        turn = 0;
      }
      waiting.remove(s);
    } else {
      emptyFrames.remove(s);
    }
  }

  @Override
  public boolean isEmpty() {
    return waiting.isEmpty() && emptyFrames.isEmpty();
  }

  @Override
  public int distribute(int maxBytes, Sender sender) {
    emptyFrames.sendEmpty(sender);
    int left = maxBytes;
    @Nullable StreamFlow s;
    while (left > 0 && (s = waiting.first()) != null) {
      beginTurn(s, left);
      int allowed = Math.min(Math.min(turn, s.offered), left);
      int sent = sender.send(s, allowed);
      left -= sent;
      if (waiting.first() == s) {
        endTurn(s, sent);
      }
      emptyFrames.sendEmpty(sender);
      if (sent < allowed) {
        break;
      }
    }
    return maxBytes - left;
  }

  private void beginTurn(StreamFlow s, int left) {
    boolean lastOfRound = s.next == s || s.next.round == round;
    if (s.round == round || turn > 0 && turn < left && lastOfRound) {
      // The rest of an interrupted turn, the last one of its round, is added to the first turn of
      // the next round instead of being sent as a small frame.
      s.round = round;
      round ^= 1;
      int size = waiting.size();
      chunk = Math.max(MIN_CHUNK, (int) (((long) left + size - 1) / size));
      turn += chunk;
    } else if (turn == 0) {
      turn = chunk;
    }
  }

  private void endTurn(StreamFlow s, int sent) {
    turn = Math.max(0, turn - sent);
    if (turn == 0) {
      s.round = round;
      waiting.rotate();
    }
  }

  /// Moves all streams to a distributor that respects priorities. Must not be called during
  /// [#distribute].
  WeightedDistributor toWeighted() {
    WeightedDistributor weighted = new WeightedDistributor();
    @Nullable StreamFlow s;
    while ((s = waiting.first()) != null) {
      int bytes = s.offered;
      waiting.remove(s);
      weighted.offer(s, bytes, false);
    }
    while ((s = emptyFrames.first()) != null) {
      emptyFrames.remove(s);
      weighted.offer(s, 0, true);
    }
    turn = 0;
    return weighted;
  }

  @Override
  public void prioritize(StreamFlow s, int urgency, boolean incremental) {
    s.urgency = (byte) urgency;
    s.incremental = incremental;
  }

  @Override
  public void weight(StreamFlow s, int weight) {
    s.weight(weight);
  }
}
