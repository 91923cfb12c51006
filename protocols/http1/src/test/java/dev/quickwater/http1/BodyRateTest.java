package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BodyRateTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final BodyRate rate = new BodyRate(10);

  @Test
  void windowStandsStillWhileNothingIsRead() {
    rate.begin();
    assertEquals(5 * SECOND, rate.resume(100));
    rate.stopped(100 + 2 * SECOND);
    assertEquals(3 * SECOND, rate.resume(100 + 60 * SECOND));
  }

  @Test
  void windowThatIsOverEndsAtOnce() {
    rate.begin();
    rate.resume(0);
    rate.stopped(7 * SECOND);
    assertEquals(1, rate.resume(8 * SECOND));
  }

  @Test
  void rateCountsTheBytesOfTheWindow() {
    rate.begin();
    rate.received(49);
    assertTrue(rate.isTooSlow());
    rate.received(1);
    assertFalse(rate.isTooSlow());
    rate.begin();
    assertTrue(rate.isTooSlow());
  }

  @Test
  void noRateIsNeverWatched() {
    assertFalse(new BodyRate(0).isWatched());
    assertTrue(rate.isWatched());
  }
}
