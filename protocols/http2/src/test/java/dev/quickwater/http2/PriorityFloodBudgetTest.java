package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// CVE-2019-9513: floods of PRIORITY frames, and of PRIORITY_UPDATE and unknown frames.
final class PriorityFloodBudgetTest {

  private final BudgetClock clock = new BudgetClock();

  @Test
  void floodTrips() {
    assertEquals(1_000, clock.flood(Budgets::ignored));
    assertEquals("frames.ignored", clock.budgets.trippedSetting());
  }

  /// Firefox makes a tree of six idle streams first, and later one PRIORITY a request.
  @Test
  void browserMayArrangeItsRequests() throws Http2Exception {
    for (int i = 0; i < 6; i++) {
      clock.happens(Budgets::ignored);
    }
    for (int i = 0; i < 100_000; i++) {
      clock.budgets.progress();
      clock.happens(Budgets::ignored);
    }
    clock.assertCalm();
  }

  /// A page changes the priorities of 100 requests at once, once a second.
  @Test
  void prioritiesMayChangeLater() throws Http2Exception {
    for (int i = 0; i < 1_000; i++) {
      for (int n = 0; n < 100; n++) {
        clock.happens(Budgets::ignored);
      }
      clock.after(1);
    }
    clock.assertCalm();
  }
}
