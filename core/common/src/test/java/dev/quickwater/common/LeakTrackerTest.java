package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests run at the level paranoid.
class LeakTrackerTest {

  private final List<String> reports = new CopyOnWriteArrayList<>();

  @BeforeEach
  void listen() {
    LeakTracker.onLeak(reports::add);
  }

  @AfterEach
  void stopListening() {
    LeakTracker.onLeak(_ -> {});
  }

  private static WeakReference<Object> drop(String what, boolean release, Object... hints) {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, what);
    for (Object hint : hints) {
      leak.record(hint);
    }
    if (release) {
      leak.released();
    }
    return new WeakReference<>(handle);
  }

  /// The collector enqueues references some time after it has cleared them, so this asks until the
  /// report is there.
  private void collect(WeakReference<Object> dropped, int expected) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while ((dropped.get() != null || reports.size() < expected) && System.nanoTime() < deadline) {
      System.gc();
      LeakTracker.reportUnreachable();
    }
  }

  @Test
  void droppedHandleIsReportedWithWhereItWasMade() {
    long before = LeakTracker.reportUnreachable();
    collect(drop("a test handle", false), 1);
    assertEquals(1, reports.size());
    assertTrue(reports.getFirst().startsWith("leak: a test handle was never released"));
    assertTrue(reports.getFirst().contains("LeakTrackerTest.drop("), reports.getFirst());
    assertEquals(before + 1, LeakTracker.reportUnreachable());
  }

  @Test
  void releasedHandleIsNeverReported() {
    WeakReference<Object> released = drop("a released handle", true);
    WeakReference<Object> dropped = drop("a dropped handle", false);
    collect(released, 0);
    collect(dropped, 1);
    assertEquals(1, reports.size());
    assertTrue(reports.getFirst().contains("a dropped handle"), reports.getFirst());
  }

  @Test
  void lastEightHintsAreInTheReport() {
    Object[] hints = new Object[10];
    for (int i = 0; i < hints.length; i++) {
      hints[i] = "hint " + i + ";";
    }
    collect(drop("a touched handle", false, hints), 1);
    String report = reports.getFirst();
    assertTrue(!report.contains("hint 0;") && !report.contains("hint 1;"), report);
    for (int i = 2; i < hints.length; i++) {
      assertTrue(report.contains("hint " + i + ";"), report);
    }
  }

  @Test
  void listenerThatThrowsDoesNotDisturbWhoFindsTheLeak() {
    LeakTracker.onLeak(report -> {
      reports.add(report);
      throw new IllegalStateException("on purpose");
    });
    collect(drop("a test handle", false), 1);
    assertEquals(1, reports.size());
  }

  @Test
  void paranoidSamplesEveryHandle() {
    List<Integer> missed = new ArrayList<>();
    for (int i = -1000; i < 1000; i++) {
      if (!LeakTracker.samples(i)) {
        missed.add(i);
      }
    }
    assertEquals(List.of(), missed);
  }
}
