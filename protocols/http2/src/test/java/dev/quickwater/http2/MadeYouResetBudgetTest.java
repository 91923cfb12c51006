package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// CVE-2025-8671: the peer makes this side reset its streams; a reset counts for both senders.
final class MadeYouResetBudgetTest {

  @Test
  void resetsOfBothSidesCountTogether() {
    int[] count = {0};
    assertEquals(
        500,
        new BudgetClock()
            .flood((b, now) -> {
              b.streamOpened(now);
              b.progress(); // the HEADERS frame, which restores other budgets
              if (count[0]++ % 3 > 0) {
                b.streamReset(now);
              }
            }));
  }

  /// Errors on single streams, as clients with faults cause.
  @Test
  void fewFaultyStreamsAreNoAttack() throws Http2Exception {
    BudgetClock clock = new BudgetClock();
    for (int i = 0; i < 100_000; i++) {
      clock.after(0.0005).happens((b, now) -> b.streamOpened(now));
      if (i % 10 == 0) {
        clock.happens(Budgets::streamReset);
      }
    }
    clock.assertCalm();
  }
}
