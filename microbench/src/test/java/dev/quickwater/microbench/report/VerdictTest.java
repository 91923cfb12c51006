package dev.quickwater.microbench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static Row row(double low, double value, double high, double target) {
    Ratio ratio = new Ratio(value, low, high);
    return new Row("Some.Row", Map.of("size", "16"), "ns", 1, "netty", 2, ratio, target);
  }

  @Test
  void fallsShortOnlyWhenTheWholeIntervalIsBelow() {
    assertEquals(Verdict.SHORT, row(1.0, 1.2, 1.39, 1.4).verdict());
    assertEquals(Verdict.UNDECIDED, row(1.0, 1.2, 1.4, 1.4).verdict());
    assertEquals(Verdict.UNDECIDED, row(1.39, 1.6, 1.8, 1.4).verdict());
    assertEquals(Verdict.REACHED, row(1.4, 1.6, 1.8, 1.4).verdict());
  }

  @Test
  void withoutIntervalTheValueDecides() {
    assertEquals(Verdict.SHORT, row(Double.NaN, 1.3, Double.NaN, 1.4).verdict());
    assertEquals(Verdict.REACHED, row(Double.NaN, 1.4, Double.NaN, 1.4).verdict());
  }

  @Test
  void rowWithoutTargetHasNoVerdict() {
    assertEquals(Verdict.NONE, row(1, 2, 3, Double.NaN).verdict());
  }

  @Test
  void geometricMeanTakesTwiceAndHalfForOne() {
    List<Row> rows = List.of(row(1, 2, 3, 1), row(0.1, 0.5, 0.9, 1), row(1, 1, 1, 1));
    assertEquals(1, Figures.geometricMean(rows), 1e-9);
    assertTrue(Double.isNaN(Figures.geometricMean(List.of())));
  }

  @Test
  void tableCountsRowsThatFallShortAndShowsTheMean() {
    String table = Figures.targets(List.of(row(2, 2, 2, 1), row(4, 8, 9, 10)), 1.5);
    assertTrue(table.contains("1 of 2 rows fall short"), table);
    assertTrue(table.contains("mean of the ratios: 4.00, target 1.50"), table);
    assertTrue(table.contains("SHORT"), table);
  }

  @Test
  void interruptedRunLeavesTargetsInTheJson() {
    Environment here = new Environment("a machine", "a JDK", "a commit");
    String json = Json.of(new Report("some", here, List.of(row(4, 8, 9, 10))));
    assertTrue(json.contains("\"target\": 10.0000, \"verdict\": \"SHORT\""), json);
    String plain = Json.of(new Report("some", here, List.of(row(4, 8, 9, Double.NaN))));
    assertTrue(plain.contains("\"target\": null, \"verdict\": null"), plain);
  }
}
