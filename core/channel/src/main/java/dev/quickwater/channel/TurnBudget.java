package dev.quickwater.channel;

import dev.quickwater.common.Clock;
import org.jspecify.annotations.Nullable;

/// How much work one channel may do in a turn of its loop before the others get theirs: [#UNITS],
/// or as many units as begin within [#NANOS], whichever ends first.
///
/// One budget serves all channels of a loop: it starts anew for each owner, and for each turn. The
/// clock is read once for [#UNITS_PER_LOOK] units, so a channel with less work never reads it. Loop
/// thread only.
final class TurnBudget {

  /// A unit is one message or one request. 256 plain HTTP requests take about half a millisecond.
  static final int UNITS = 256;

  /// One peer that sends without end delays its neighbours by about this time.
  static final long NANOS = 250_000;

  /// Units between two looks at the clock, each of which costs as much as a small message.
  static final int UNITS_PER_LOOK = 8;

  private final Clock clock;
  private @Nullable Object owner;
  private long turn;
  private int used;
  private long start;

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
      used = 0;
    }
    if (used != 0 && used % UNITS_PER_LOOK == 0 && isSpent()) {
      return false;
    }
    used++;
    return true;
  }

  private boolean isSpent() {
    if (used == UNITS) {
      return true;
    }
    long now = clock.nanoTime();
    if (used == UNITS_PER_LOOK) {
      start = now;
    }
    if (now - start < NANOS) {
      return false;
    }
    used = UNITS;
    return true;
  }

  /// Forgets the owner, which may be closed by now.
  void reset() {
    owner = null;
  }
}
