package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// CVE-2019-9512: PING frames that are acknowledged in vain.
final class PingFloodBudgetTest {

  private final BudgetClock clock = new BudgetClock();

  @Test
  void floodTripsEvenIfTheAcknowledgementsAreRead() {
    assertEquals(1_000, clock.flood((b, now) -> b.ping(now, 0)));
    assertEquals("frames.ping", clock.budgets.trippedSetting());
  }

  @Test
  void unreadAcknowledgementsAreBoundedDuringRequests() {
    int[] unwritten = {0};
    assertEquals(
        1_000,
        clock.flood((b, now) -> {
          b.progress();
          b.ping(now, unwritten[0]++);
        }));
    assertEquals("unwrittenAcks", clock.budgets.trippedSetting());
  }

  /// gRPC measures bandwidth: a PING for every 64 KiB, which are four DATA frames, at 10 Gbit/s.
  @Test
  void bandwidthMayBeMeasured() throws Http2Exception {
    for (int i = 0; i < 200_000; i++) {
      clock.after(0.00005);
      for (int frame = 0; frame < 4; frame++) {
        clock.budgets.progress();
      }
      clock.happens((b, now) -> b.ping(now, 1));
    }
    clock.assertCalm();
  }

  /// The receiver of a download measures it: nothing but PING and WINDOW_UPDATE arrives.
  @Test
  void bandwidthOfADownloadMayBeMeasured() throws Http2Exception {
    for (int i = 0; i < 200_000; i++) {
      clock.budgets.dataSent(4);
      clock.happens((b, now) -> b.ping(now, 1));
    }
    clock.assertCalm();
  }

  /// A PING with every request.
  @Test
  void everyRequestMayHaveItsPing() throws Http2Exception {
    for (int i = 0; i < 200_000; i++) {
      clock.budgets.progress();
      clock.happens((b, now) -> b.ping(now, 3));
    }
    clock.assertCalm();
  }

  /// Idle for a week, alive every second.
  @Test
  void idleConnectionMayBeKeptAlive() throws Http2Exception {
    for (int i = 0; i < 7 * 86_400; i++) {
      clock.after(1).happens((b, now) -> b.ping(now, 0));
    }
    clock.assertCalm();
  }
}
