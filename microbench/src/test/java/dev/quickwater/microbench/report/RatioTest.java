package dev.quickwater.microbench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RatioTest {

  private static final double EXACT = 1e-9;

  @Test
  void driftThatHitsBothSidesLeavesNoInterval() {
    Ratio ratio = Ratio.paired(new double[] {1, 2, 4}, new double[] {2, 4, 8});
    assertEquals(0.5, ratio.value(), EXACT);
    assertEquals(0.5, ratio.low(), EXACT);
    assertEquals(0.5, ratio.high(), EXACT);
  }

  @Test
  void oneRoundHasNoInterval() {
    Ratio ratio = Ratio.paired(new double[] {3}, new double[] {2});
    assertEquals(1.5, ratio.value(), EXACT);
    assertTrue(Double.isNaN(ratio.low()));
  }

  @Test
  void intervalOfThreeRoundsIsThatOfStudentsT() {
    double step = Math.log(1.1);
    Ratio ratio = Ratio.paired(new double[] {1 / 1.1, 1, 1.1}, new double[] {1, 1, 1});
    assertEquals(Math.exp(4.302652729911275 * step / Math.sqrt(3)), ratio.high(), 1e-6);
    assertEquals(1, ratio.low() * ratio.high(), EXACT);
  }

  @Test
  void inverseSwapsTheEnds() {
    Ratio ratio = Ratio.independent(new double[] {1, 1.1, 1.2}, new double[] {2, 2.1, 2.3});
    assertEquals(1 / ratio.low(), ratio.inverse().high(), EXACT);
    assertTrue(ratio.low() < ratio.value() && ratio.value() < ratio.high());
  }
}
