package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// CVE-2019-9518: DATA frames without content that do not end their stream.
final class EmptyDataFloodBudgetTest {

  private final BudgetClock clock = new BudgetClock();

  @Test
  void floodTrips() {
    assertEquals(100, clock.flood(Budgets::emptyData));
    assertEquals("frames.emptyData", clock.budgets.trippedSetting());
  }

  /// A writer that flushes empty pieces between those with content.
  @Test
  void someMayAccompanyContent() throws Http2Exception {
    for (int i = 0; i < 100_000; i++) {
      clock.budgets.progress();
      for (int n = 0; n < 3; n++) {
        clock.happens(Budgets::emptyData);
      }
    }
    clock.assertCalm();
  }
}
