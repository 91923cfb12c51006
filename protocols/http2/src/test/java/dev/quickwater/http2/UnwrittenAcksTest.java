package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class UnwrittenAcksTest {

  private final UnwrittenAcks acks = new UnwrittenAcks();

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      acks.add();
    }
  }

  @Test
  void idleConnectionHasNone() {
    add(10);
    acks.sent(170, 0);
    assertEquals(0, acks.count());
  }

  @Test
  void thoseOfOneBatchOfReadsDoNotCountBeforeTheFlush() {
    add(1_000);
    assertEquals(0, acks.count());
    acks.sent(17_000, 17_000);
    assertEquals(1_000, acks.count());
  }

  @Test
  void nothingIsForgottenWhileThePeerDoesNotRead() {
    for (int i = 1; i <= 100; i++) {
      add(1);
      acks.sent(17L * i, 17L * i);
      assertEquals(i, acks.count());
    }
  }

  /// Always 1,000 bytes unsent, 500 written at a time.
  @Test
  void busyConnectionForgetsWhatWasSent() {
    for (int i = 1; i <= 100; i++) {
      add(1);
      acks.sent(1_000 + 500L * i, 1_000);
      assertTrue(acks.count() <= 6, "count " + acks.count());
    }
  }
}
