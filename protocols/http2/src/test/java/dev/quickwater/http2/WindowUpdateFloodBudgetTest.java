package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// WINDOW_UPDATE frames that announce credit for nothing.
final class WindowUpdateFloodBudgetTest {

  private final BudgetClock clock = new BudgetClock();

  @Test
  void floodTrips() {
    assertEquals(1_000, clock.flood(Budgets::windowUpdate));
    assertEquals("frames.windowUpdate", clock.budgets.trippedSetting());
  }

  /// A download at any speed: credit for the stream and the connection with every DATA frame, and
  /// in pieces of 4 KiB.
  @Test
  void downloadMayAnnounceEveryFrame() throws Http2Exception {
    for (int i = 0; i < 1_000_000; i++) {
      clock.budgets.dataSent(1);
      for (int n = 0; n < 8; n++) {
        clock.happens(Budgets::windowUpdate);
      }
    }
    clock.assertCalm();
  }

  /// All streams are opened with more credit, as browsers do.
  @Test
  void requestsMayRaiseTheirWindows() throws Http2Exception {
    for (int i = 0; i < 100_000; i++) {
      clock.budgets.progress();
      clock.happens(Budgets::windowUpdate).happens(Budgets::windowUpdate);
    }
    clock.assertCalm();
  }

  /// A whole queue was sent before the peer reads: its announcements arrive together.
  @Test
  void burstsOfAnnouncementsAreAllowed() throws Http2Exception {
    for (int round = 0; round < 100; round++) {
      clock.budgets.dataSent(500);
      for (int i = 0; i < 1_000; i++) {
        clock.happens(Budgets::windowUpdate);
      }
    }
    clock.assertCalm();
  }
}
