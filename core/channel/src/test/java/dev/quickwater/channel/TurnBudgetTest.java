package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TurnBudgetTest {

  private final VirtualClock clock = new VirtualClock();
  private final TurnBudget budget = new TurnBudget(clock);

  @Test
  void unitsOfATurnAreLimited() {
    for (int i = 0; i < TurnBudget.UNITS; i++) {
      assertTrue(budget.take(this, 1));
    }
    assertFalse(budget.take(this, 1));
    assertTrue(budget.take(this, 2), "the next turn has its own budget");
  }

  @Test
  void timeOfATurnIsLimited() {
    int taken = 0;
    while (budget.take(this, 1)) {
      taken++;
      clock.advance(Duration.ofNanos(TurnBudget.NANOS / 10));
    }
    // The first look at the clock comes after 8 units, and 10 more units take the whole time.
    assertEquals(24, taken);
  }

  @Test
  void eachChannelHasASeparateBudget() {
    Object other = new Object();
    while (budget.take(this, 1)) {
      // spends it
    }
    assertTrue(budget.take(other, 1));
    assertEquals(true, budget.take(this, 1), "one budget serves all: it starts anew");
  }
}
