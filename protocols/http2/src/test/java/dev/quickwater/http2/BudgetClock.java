package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/// Drives a [Budgets] with events at given times.
final class BudgetClock {

  static final long SECOND = 1_000_000_000;

  interface Event {
    void happen(Budgets budgets, long now) throws Http2Exception;
  }

  final Budgets budgets = new Budgets(BudgetSettings.DEFAULT);

  /// Far from 0, as System.nanoTime() may be.
  private long now = Long.MAX_VALUE - 3 * SECOND;

  /// Advances the clock.
  BudgetClock after(double seconds) {
    now += (long) (seconds * SECOND);
    return this;
  }

  BudgetClock happens(Event event) throws Http2Exception {
    event.happen(budgets, now);
    return this;
  }

  /// @return the number of events that were allowed before one exceeded a budget
  int flood(Event event) {
    for (int i = 0; i < 1_000_000; i++) {
      try {
        event.happen(budgets, now);
      } catch (Http2Exception e) {
        assertEquals(ErrorCode.ENHANCE_YOUR_CALM, e.code());
        assertEquals(0, e.stream(), "an error of the connection");
        assertEquals(1, budgets.trips());
        return i;
      }
    }
    return fail("a million events were allowed");
  }

  void assertCalm() {
    assertEquals(0, budgets.trips());
  }
}
