package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.LeakTracker;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

/// Compares measured allocations with `allocation.gate`.
final class Gates {

  private static final double BAND = 0.05;

  private Gates() {}

  /// Fails if the measured bytes are above `max`, or differ from the gate by more than five per
  /// cent.
  static void check(String name, int max, double measured) throws Exception {
    assertEquals(LeakTracker.Level.DISABLED, LeakTracker.LEVEL, "trackers would be counted");
    double expected = Double.parseDouble(gate().getProperty(name));
    String figures = "%s: %.1f bytes, the gate says %.1f".formatted(name, measured, expected);
    System.out.println(figures);
    assertTrue(measured <= max, figures);
    assertTrue(Math.abs(measured - expected) <= BAND * expected, figures);
  }

  private static Properties gate() throws Exception {
    Properties gate = new Properties();
    try (InputStream in =
        Objects.requireNonNull(Gates.class.getResourceAsStream("/allocation.gate"))) {
      gate.load(in);
    }
    return gate;
  }
}
