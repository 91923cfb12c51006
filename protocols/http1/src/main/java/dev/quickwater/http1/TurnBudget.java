package dev.quickwater.http1;

import dev.quickwater.common.Clock;

/// Limits how many pipelined exchanges a connection begins before other connections of its loop get
/// their turn: [#MAX_EXCHANGES], or [#MAX_NANOS], whichever comes first.
///
/// A peer that pipelines without end thus delays its neighbours by about [#MAX_NANOS] instead of
/// the time that all its requests take. The clock is read once for [#CHECKED] exchanges, so a
/// connection that does not pipeline never reads it.
final class TurnBudget {

  static final int MAX_EXCHANGES = 256;
  static final long MAX_NANOS = 250_000;
  private static final int CHECKED = 8;

  private final Clock clock;
  private int used;
  private long start;
  private boolean spent;

  TurnBudget(Clock clock) {
    this.clock = clock;
  }

  /// Takes one exchange.
  ///
  /// @return false if none is left in this turn
  boolean take() {
    if (spent) {
      return false;
    }
    if (used != 0 && used % CHECKED == 0) {
      check();
    }
    used++;
    return !spent;
  }

  private void check() {
    long now = clock.nanoTime();
    if (used == CHECKED) {
      start = now;
    } else {
      spent = used >= MAX_EXCHANGES || now - start >= MAX_NANOS;
    }
  }

  /// True until the next turn.
  boolean isSpent() {
    return spent;
  }

  /// Another turn begins.
  void renew() {
    used = 0;
    spent = false;
  }
}
