package dev.quickwater.web;

import dev.quickwater.channel.EventLoop;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The bytes that the responses of one loop compress in a turn, all together. Compression takes
/// about 20 ns a byte, and delays the other connections of the loop.
///
/// Responses that need more wait for further turns, in the order of a queue: a long response does
/// not delay a short one by more than a turn for each response before it. The budget is renewed
/// only in the turn after it was used up. Loop only.
final class CompressionBudget {

  /// Bytes that are compressed in a turn: about a millisecond.
  static final int TURN = 64 << 10;

  private final EventLoop loop;
  private final ArrayDeque<CompressedBody> waiting = new ArrayDeque<>();
  private int left = TURN;
  private boolean deferred;

  CompressionBudget(EventLoop loop) {
    this.loop = loop;
  }

  /// Takes up to `wanted` bytes.
  ///
  /// @return 0 if the budget of this turn is used up
  int take(int wanted) {
    int taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  }

  /// Resumes a body in a further turn.
  void await(CompressedBody body) {
    waiting.add(body);
    if (!deferred) {
      deferred = true;
      loop.defer(this::turnBegins);
    }
  }

  private void turnBegins() {
    left = TURN;
    for (@Nullable CompressedBody next; left > 0 && (next = waiting.poll()) != null; ) {
      next.resume();
    }
    deferred = !waiting.isEmpty();
    if (deferred) {
      loop.defer(this::turnBegins);
    }
  }
}
