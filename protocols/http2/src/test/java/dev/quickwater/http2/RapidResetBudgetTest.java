package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// CVE-2023-44487: streams that are opened and reset at once.
final class RapidResetBudgetTest {

  private final BudgetClock clock = new BudgetClock();

  @Test
  void resetsBeforeTheHandlerTripAt21() {
    assertEquals(20, clock.flood(Budgets::resetBeforeHandler));
    assertEquals("resets.unstarted", clock.budgets.trippedSetting());
  }

  @Test
  void resetsAfterTheHandlerHasStartedTripAt501() {
    assertEquals(
        500,
        clock.flood((b, now) -> {
          b.streamOpened(now);
          b.streamReset(now);
        }));
    assertEquals("resets.streams", clock.budgets.trippedSetting());
  }

  /// Just over half of the streams, spread over a second.
  @Test
  void resetsOfMoreThanHalfOfTheStreamsTrip() {
    int[] count = {0};
    int allowed =
        clock.flood((b, now) -> {
          long at = now + count[0] * (BudgetClock.SECOND / 1_500);
          b.streamOpened(at);
          if (count[0]++ % 5 < 3) {
            b.streamReset(at);
          }
        });
    assertTrue(allowed >= 500 && allowed < 510, () -> "after " + allowed);
  }

  /// A proxy whose clients go away: a thousand cancellations an hour, for a day.
  @Test
  void proxyMayCancelForEver() throws Http2Exception {
    for (int i = 0; i < 24_000; i++) {
      clock.after(3.6).happens((b, now) -> b.streamOpened(now)).happens(Budgets::streamReset);
    }
    clock.assertCalm();
  }

  /// gRPC hedging cancels every second call: 2,000 a second, for a minute.
  @Test
  void halfOfTheCallsMayBeCancelled() throws Http2Exception {
    for (int i = 0; i < 60_000; i++) {
      clock
          .after(0.001)
          .happens((b, now) -> b.streamOpened(now))
          .happens((b, now) -> b.streamOpened(now))
          .happens(i % 20 == 0 ? (_, _) -> {} : Budgets::streamReset);
    }
    clock.assertCalm();
  }

  /// A client that shuts down: a thousand calls of any age are reset at once.
  @Test
  void oldStreamsMayBeResetTogether() throws Http2Exception {
    for (int i = 0; i < 1_000; i++) {
      clock.after(0.1).happens((b, now) -> b.streamOpened(now));
    }
    clock.after(2);
    for (int i = 0; i < 1_000; i++) {
      clock.happens(Budgets::streamReset);
    }
    clock.assertCalm();
  }

  /// A browser that leaves a page: 100 requests at once, all cancelled, every ten seconds.
  @Test
  void browserMayLeavePages() throws Http2Exception {
    for (int page = 0; page < 100; page++) {
      for (int i = 0; i < 100; i++) {
        clock.happens((b, now) -> b.streamOpened(now));
      }
      clock.after(0.2);
      for (int i = 0; i < 100; i++) {
        clock.happens(Budgets::streamReset);
      }
      clock.after(10);
    }
    clock.assertCalm();
  }

  /// Cancelled at once, in the same packet: a few a second.
  @Test
  void resetsBeforeTheHandlerDecay() throws Http2Exception {
    for (int i = 0; i < 1_000; i++) {
      for (int n = 0; n < 20; n++) {
        clock.happens(Budgets::resetBeforeHandler);
      }
      clock.after(1);
    }
    clock.assertCalm();
  }
}
