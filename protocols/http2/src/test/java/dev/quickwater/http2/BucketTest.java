package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http2.BudgetSettings.Rate;
import org.junit.jupiter.api.Test;

final class BucketTest {

  private static final long SECOND = BudgetClock.SECOND;

  private static int fill(Bucket bucket, long now) {
    int count = 0;
    while (bucket.add(now)) {
      count++;
    }
    return count;
  }

  @Test
  void eventsAreForgottenSteadily() {
    Bucket bucket = new Bucket(new Rate(10, 4));
    long now = -5 * SECOND;
    assertEquals(10, fill(bucket, now));
    assertEquals(0, fill(bucket, now + SECOND / 4 - 1));
    assertEquals(1, fill(bucket, now + SECOND / 4));
    assertEquals(0, fill(bucket, now + SECOND / 2 - 1));
    assertEquals(5, fill(bucket, now + SECOND * 3 / 2));
    assertEquals(10, fill(bucket, now + 100 * SECOND));
    assertEquals(10, fill(bucket, Long.MAX_VALUE));
  }

  @Test
  void shortIntervalsAddUp() {
    Bucket bucket = new Bucket(new Rate(10, 4));
    fill(bucket, 0);
    int allowed = 0;
    for (long now = 0; now <= 10 * SECOND; now += 7_777_777) {
      allowed += bucket.add(now) ? 1 : 0;
    }
    assertEquals(39, allowed);
  }

  @Test
  void refillDoesNotSaveUp() {
    Bucket bucket = new Bucket(new Rate(10, 1));
    bucket.refill(100);
    assertEquals(10, fill(bucket, 0));
    bucket.refill(3);
    assertEquals(7, bucket.count());
    assertEquals(3, fill(bucket, 0));
  }

  @Test
  void extremeRates() {
    Bucket fast = new Bucket(new Rate(Integer.MAX_VALUE, Integer.MAX_VALUE));
    assertTrue(fast.add(0));
    assertTrue(fast.add(SECOND));
    Bucket slow = new Bucket(new Rate(1, 1));
    assertTrue(slow.add(0));
    assertFalse(slow.add(SECOND - 1));
    assertTrue(slow.add(Long.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> new Rate(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new Rate(1, 0));
  }

  @Test
  void secondCounterFollowsTheRate() {
    SecondCounter counter = new SecondCounter();
    long now = Long.MAX_VALUE - SECOND; // passes the greatest value
    for (int i = 0; i < 3_000; i++) {
      counter.add(now);
      now += SECOND / 1_000;
      if (i >= 1_000) {
        assertEquals(1_000, counter.count(now), 2);
      }
    }
    assertEquals(0, counter.count(now + 2 * SECOND));
  }
}
