package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The log of a program that leaks repeatedly.
class LeakLogTest {

  /// Leaks the number of handles that its argument gives at one place, and one handle at another.
  static final class LeakInLoop {
    private static final int LEAKS = 300;

    public static void main(String[] args) {
      List<String> reports = new ArrayList<>();
      try (var _ = LeakTracker.onLeak(reports::add)) {
        for (int i = 0; i < LEAKS; i++) {
          Leaking.drop("a handle", false);
        }
        Leaking.drop("another handle", false);
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (reports.size() < LEAKS + 1 && System.nanoTime() < deadline) {
          System.gc();
          LeakTracker.reportUnreachable();
        }
      }
      System.out.println(reports.size());
    }
  }

  private static List<String> logged(ChildJvm child, String line) {
    return child.err().lines().filter(each -> each.contains(line)).toList();
  }

  @Test
  void placeIsLoggedWheneverItsCountHasDoubledAndListenersGetEachLeak() throws Exception {
    ChildJvm child = ChildJvm.run(LeakInLoop.class, "-Ddev.quickwater.leakLevel=paranoid");
    assertEquals("301\n", child.out(), child.err());
    assertEquals(9, logged(child, "leak: a handle was never released").size(), child.err());
    assertEquals(1, logged(child, "leak: another handle was never released").size(), child.err());
    List<String> expected = new ArrayList<>();
    for (int number = 2; number <= 256; number *= 2) {
      expected.add("  this is leak " + number + " of this place; the log shows every doubling");
    }
    assertEquals(expected, logged(child, "  this is leak "));
  }

  /// The log stays bounded even if every stack is different.
  @Test
  void placesBeyondTheLimitShareOneCount() {
    LeakPlaces places = new LeakPlaces();
    for (int i = 0; i < LeakPlaces.MAX_PLACES; i++) {
      assertEquals(1, places.count("a handle " + i, new StackTraceElement[0]));
    }
    assertEquals(2, places.count("a handle 0", new StackTraceElement[0]));
    assertEquals(1, places.count("one more", new StackTraceElement[0]));
    assertEquals(2, places.count("and one more", new StackTraceElement[0]));
  }

  @Test
  void placeIsTheWholeStack() {
    LeakPlaces places = new LeakPlaces();
    StackTraceElement inner = new StackTraceElement("A", "inner", "A.java", 1);
    StackTraceElement outer = new StackTraceElement("A", "outer", "A.java", 2);
    assertEquals(1, places.count("a handle", new StackTraceElement[] {inner, outer}));
    assertEquals(1, places.count("a handle", new StackTraceElement[] {outer, inner}));
    assertEquals(1, places.count("a handle", new StackTraceElement[] {inner}));
    assertEquals(1, places.count("another", new StackTraceElement[] {inner}));
    assertEquals(2, places.count("a handle", new StackTraceElement[] {inner, outer}));
    assertTrue(LeakPlaces.isLogged(1) && LeakPlaces.isLogged(1 << 30));
  }
}
