package dev.quickwater.channel;

import dev.quickwater.common.Clock;
import org.jspecify.annotations.Nullable;

/// How much work one channel may do in a turn of its loop before the others get theirs: a number of
/// units, or 1 ms, whichever ends first.
///
/// One budget serves all channels of a loop: it starts anew for each owner, and for each turn. Loop
/// thread only.
final class TurnBudget {

  /// A unit is one message or one request. 256 plain HTTP requests take about half a millisecond.
  static final int UNITS = 256;

  static final long NANOS = 1_000_000;

  /// Units between two looks at the clock, each of which costs as much as a small message.
  private static final int UNITS_PER_LOOK = 8;

  private final Clock clock;
  private @Nullable Object owner;
  private long turn;
  private int left;
  private long deadline;

  TurnBudget(Clock clock) {
    this.clock = clock;
  }

  /// Takes one unit.
  ///
  /// @return false if the budget of `who` in this turn is spent
  boolean take(Object who, long currentTurn) {
    if (owner != who || turn != currentTurn) {
      owner = who;
      turn = currentTurn;
      left = UNITS;
      deadline = clock.nanoTime() + NANOS;
    }
    if (left == 0) {
      return false;
    }
    left--;
    if (left % UNITS_PER_LOOK == 0 && clock.nanoTime() - deadline >= 0) {
      left = 0;
    }
    return true;
  }

  /// Forgets the owner, which may be closed by now.
  void reset() {
    owner = null;
  }
}
