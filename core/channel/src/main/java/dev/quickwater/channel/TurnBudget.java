package dev.quickwater.channel;

import dev.quickwater.common.Clock;
import org.jspecify.annotations.Nullable;

/// Limits the work of one channel in a turn of its loop: to [#UNITS] units, or to the units that
/// start within [#NANOS], the smaller of the two. The other channels then run.
///
/// One object serves all channels of a loop. The count restarts when the owner or the turn changes.
/// The clock is read once in [#UNITS_PER_CLOCK_READ] units; a channel with fewer units never reads
/// it. Loop thread only.
final class TurnBudget {

  /// A unit is one message or one request. 256 plain HTTP requests take about half a millisecond.
  static final int UNITS = 256;

  /// A peer that sends without end delays other channels by about this time.
  static final long NANOS = 250_000;

  /// Units between two reads of the clock. A read costs as much as a small message.
  static final int UNITS_PER_CLOCK_READ = 8;

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
  /// @return false if the budget of `requester` in this turn is used up
  boolean take(Object requester, long currentTurn) {
    if (owner != requester || turn != currentTurn) {
      owner = requester;
      turn = currentTurn;
      used = 0;
    }
    if (used != 0 && used % UNITS_PER_CLOCK_READ == 0 && isSpent()) {
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
    if (used == UNITS_PER_CLOCK_READ) {
      start = now;
    }
    if (now - start < NANOS) {
      return false;
    }
    used = UNITS;
    return true;
  }

  /// Drops the reference to the owner, which may be closed.
  void reset() {
    owner = null;
  }
}
