package dev.quickwater.microbench.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.microbench.jmh.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GoalTest {

  private static final Pair PAIR =
      new Pair(
          "some.SizeBenchmark",
          "Fixed",
          new TreeSet<>(Set.of("netty", "quickwater")),
          new TreeMap<>(Map.of("delay", List.of("1", "10"), "size", List.of("16", "64", "256"))));

  @Test
  void everyCombinationOfParametersIsARow() {
    Goal goal = new Goal("sizes", "SizeBenchmark\\..*", Against.SHIPPED, 1);
    List<Goal.Line> lines = goal.lines(List.of(PAIR)).toList();
    assertEquals(6, lines.stream().map(Goal.Line::params).distinct().count());
    assertEquals("sizes: SizeBenchmark.Fixed", lines.getFirst().label());
  }

  @Test
  void fixedParameterStaysAtItsValue() {
    Goal goal =
        new Goal("sizes", "SizeBenchmark\\..*", Against.SHIPPED, 1).with(Map.of("size", "64"));
    assertEquals(
        List.of(Map.of("delay", "1", "size", "64"), Map.of("delay", "10", "size", "64")),
        goal.lines(List.of(PAIR)).map(Goal.Line::params).toList());
  }

  @Test
  void unknownParameterIsRefused() {
    Goal goal = new Goal("sizes", "Size.*", Against.SHIPPED, 1).with(Map.of("depth", "1"));
    assertThrows(IllegalArgumentException.class, () -> goal.lines(List.of(PAIR)).toList());
  }

  @Test
  void patternMustMatchTheWholeLabel() {
    assertEquals(
        0, new Goal("sizes", "SizeBench", Against.SHIPPED, 1).lines(List.of(PAIR)).count());
  }

  /// A benchmark that was renamed, or lost a parameter, must not take its row with it.
  @Test
  void everyGoalHasARowAndATarget() {
    List<Pair> pairs = Pair.all();
    for (Extent extent : Extent.values()) {
      List<Goal> goals = new ArrayList<>(MemoryGoals.all(extent));
      goals.addAll(UtilGoals.all(extent));
      for (Goal goal : goals) {
        assertTrue(goal.lines(pairs).findAny().isPresent(), () -> extent + ": " + goal);
        assertTrue(goal.target() >= 1, goal::toString);
      }
    }
  }
}
