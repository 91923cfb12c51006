package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// CVE-2019-9515: SETTINGS frames, each of which is acknowledged and may change every stream.
final class SettingsFloodBudgetTest {

  private final BudgetClock clock = new BudgetClock();

  @Test
  void floodTripsDuringRequests() {
    assertEquals(
        100,
        clock.flood((b, now) -> {
          b.progress();
          b.settings(now, 0);
        }));
    assertEquals("frames.settings", clock.budgets.trippedSetting());
  }

  @Test
  void unreadAcknowledgementsAreBounded() {
    int[] unwritten = {990};
    assertEquals(10, clock.flood((b, now) -> b.settings(now, unwritten[0]++)));
    assertEquals("unwrittenAcks", clock.budgets.trippedSetting());
  }

  /// A peer that tunes its window with each round trip, for an hour.
  @Test
  void windowMayBeTunedByRoundTrip() throws Http2Exception {
    for (int i = 0; i < 36_000; i++) {
      clock.after(0.1).happens((b, now) -> b.settings(now, 1));
    }
    clock.assertCalm();
  }
}
