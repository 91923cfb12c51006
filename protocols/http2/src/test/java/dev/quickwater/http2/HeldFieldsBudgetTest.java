package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// The "HTTP/2 bomb": each field takes one byte on the wire, and open streams hold it decoded.
final class HeldFieldsBudgetTest {

  private final Budgets budgets = new Budgets(BudgetSettings.DEFAULT);

  @Test
  void streamsBeyondTheLimitAreRefused() {
    for (int i = 0; i < 32; i++) {
      assertTrue(budgets.fieldsDecoded(32 * 1024));
    }
    assertFalse(budgets.fieldsDecoded(1));
    assertEquals(1, budgets.trips());
    assertEquals("heldFields", budgets.trippedSetting());
  }

  @Test
  void endedStreamsMakeRoom() {
    for (int i = 0; i < 1_000; i++) {
      assertTrue(budgets.fieldsDecoded(1 << 20));
      assertFalse(budgets.fieldsDecoded(Integer.MAX_VALUE));
      budgets.fieldsReleased(1 << 20);
    }
  }

  /// 100 requests of a browser with cookies of 8 KiB.
  @Test
  void requestsWithLargeCookiesFit() {
    for (int i = 0; i < 100; i++) {
      assertTrue(budgets.fieldsDecoded(10 * 1024));
    }
    assertEquals(0, budgets.trips());
  }
}
