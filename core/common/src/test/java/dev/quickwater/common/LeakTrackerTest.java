package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests run at the level paranoid.
class LeakTrackerTest {

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final LeakTracker.Listening listening = LeakTracker.onLeak(reports::add);

  @AfterEach
  void stopListening() {
    listening.close();
  }

  private void collect(WeakReference<Object> dropped, int expected) {
    Leaking.collect(dropped, reports, expected);
  }

  @Test
  void droppedHandleIsReportedWithWhereItWasMade() {
    long before = LeakTracker.reportUnreachable();
    collect(Leaking.drop("a test handle", false), 1);
    assertEquals(1, reports.size());
    List<String> lines = reports.getFirst().lines().toList();
    assertEquals("leak: a test handle was never released", lines.get(0));
    assertEquals("  created by " + Thread.currentThread().getName(), lines.get(1));
    assertTrue(
        lines.get(2).startsWith("    at dev.quickwater.common.Leaking.drop("), reports.getFirst());
    assertEquals(
        "  leak level paranoid: every handle is tracked, with its last 8 touches", lines.getLast());
    assertEquals(before + 1, LeakTracker.reportUnreachable());
  }

  /// Each listener looks for further leaks itself, as one that takes a buffer does.
  @Test
  void listenersThatComeBackAreNotCalledInsideEachOther() {
    int[] depth = {0, 0};
    try (LeakTracker.Listening nested =
        LeakTracker.onLeak(_ -> {
          depth[1] = Math.max(depth[1], ++depth[0]);
          LeakTracker.reportUnreachable();
          depth[0]--;
        })) {
      WeakReference<Object> last = Leaking.drop("handle 0", false);
      for (int i = 1; i < 100; i++) {
        last = Leaking.drop("handle " + i, false);
      }
      collect(last, 100);
    }
    assertEquals(100, reports.size());
    assertEquals(1, depth[1]);
  }

  /// Tracks a handle, as a listener does that allocates a buffer for its report.
  @Test
  void listenersThatTrackAreNotCalledInsideEachOther() {
    int[] depth = {0, 0};
    try (LeakTracker.Listening nested =
        LeakTracker.onLeak(_ -> {
          depth[1] = Math.max(depth[1], ++depth[0]);
          Leaking.trackAndRelease();
          depth[0]--;
        })) {
      collectByTracking(100);
    }
    assertEquals(100, reports.size());
    assertEquals(1, depth[1]);
  }

  @Test
  void trackingOneHandleWaitsForFewReports() {
    int longest = collectByTracking(100);
    assertEquals(100, reports.size());
    assertTrue(longest <= 4, longest + " reports while one handle was tracked");
  }

  /// Leaks handles and then tracks others until all leaks are reported.
  ///
  /// @return the maximum number of reports that one call made
  private int collectByTracking(int leaks) {
    for (int i = 0; i < leaks; i++) {
      Leaking.drop("handle " + i, false);
    }
    int longest = 0;
    long deadline = System.nanoTime() + 30_000_000_000L;
    System.gc();
    while (reports.size() < leaks && System.nanoTime() < deadline) {
      int before = reports.size();
      Leaking.trackAndRelease();
      longest = Math.max(longest, reports.size() - before);
      if (reports.size() == before) {
        System.gc();
      }
    }
    return longest;
  }

  /// Each report causes the next leak; the calling thread must not report all of them.
  @Test
  void leaksOfAListenerWaitForTheNextCall() throws Exception {
    int[] generations = {0};
    ReferenceQueue<Object> found = new ReferenceQueue<>();
    try (LeakTracker.Listening leaking =
        LeakTracker.onLeak(_ -> {
          if (++generations[0] < 20) {
            Leaking.dropAndFind(found);
          }
        })) {
      Leaking.dropAndFind(found);
      long longest = 0;
      long deadline = System.nanoTime() + 30_000_000_000L;
      while (generations[0] < 20 && System.nanoTime() < deadline) {
        int before = generations[0];
        LeakTracker.reportUnreachable();
        longest = Math.max(longest, generations[0] - before);
      }
      assertEquals(20, generations[0]);
      assertEquals(1, longest);
    }
  }

  @Test
  void releasedHandleIsNeverReported() {
    WeakReference<Object> released = Leaking.drop("a released handle", true);
    WeakReference<Object> dropped = Leaking.drop("a dropped handle", false);
    collect(released, 0);
    collect(dropped, 1);
    assertEquals(1, reports.size());
    assertTrue(reports.getFirst().contains("a dropped handle"), reports.getFirst());
  }

  @Test
  void lastEightTouchesAreInTheReportTheLatestFirst() {
    Object[] hints = new Object[10];
    for (int i = 0; i < hints.length; i++) {
      hints[i] = "hint " + i;
    }
    collect(Leaking.drop("a touched handle", false, hints), 1);
    String report = reports.getFirst();
    List<String> touches = report.lines().filter(line -> line.startsWith("  touched by ")).toList();
    List<String> expected = new ArrayList<>();
    for (int i = 9; i >= 2; i--) {
      expected.add("  touched by " + Thread.currentThread().getName() + ": hint " + i);
    }
    assertEquals(expected, touches, report);
    assertTrue(report.contains("\n  2 earlier touches were dropped\n"), report);
  }

  @Test
  void fewTouchesAreAllKept() {
    collect(Leaking.drop("a touched handle", false, "one", "two"), 1);
    assertFalse(reports.getFirst().contains("dropped"), reports.getFirst());
  }

  @Test
  void hintIsTakenAsItIsWhenTheHandleIsTouched() {
    StringBuilder hint = new StringBuilder("before");
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, "a handle");
    leak.record(hint);
    hint.setLength(0);
    assertTrue(leak.report().contains(": before\n"), leak.report());
    leak.released();
  }

  @Test
  void threadWithoutANameIsNamedByItsNumber() throws Exception {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, "a handle");
    Thread virtual = Thread.ofVirtual().start(() -> leak.record(null));
    virtual.join();
    assertTrue(
        leak.report().contains("\n  touched by thread #" + virtual.threadId() + "\n"),
        leak.report());
    leak.released();
  }

  @Test
  void touchesOfManyThreadsAreCountedAndEightAreKept() throws Exception {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, "a handle");
    Threads.together(
        4,
        _ -> {
          for (int i = 0; i < 100; i++) {
            leak.record("x");
          }
        });
    String report = leak.report();
    leak.released();
    long shown = report.lines().filter(line -> line.startsWith("  touched by ")).count();
    assertEquals(8, shown, report);
    assertTrue(report.contains("\n  392 earlier touches were dropped\n"), report);
  }

  @Test
  void listenerThatThrowsDisturbsNobody() {
    try (var _ =
        LeakTracker.onLeak(_ -> {
          throw new IllegalStateException("on purpose");
        })) {
      List<String> later = new CopyOnWriteArrayList<>();
      try (var _ = LeakTracker.onLeak(later::add)) {
        collect(Leaking.drop("a test handle", false), 1);
      }
      assertEquals(1, reports.size());
      assertEquals(reports, later);
    }
  }

  /// Assertions throw errors; whoever tracks the next handle is not to meet one.
  @Test
  void listenerThatThrowsAnErrorDisturbsNobody() {
    try (var _ =
        LeakTracker.onLeak(_ -> {
          throw new AssertionError("on purpose");
        })) {
      List<String> later = new CopyOnWriteArrayList<>();
      try (var _ = LeakTracker.onLeak(later::add)) {
        collect(Leaking.drop("a test handle", false), 1);
      }
      assertEquals(1, later.size());
    }
  }

  @Test
  void listenerThatThrowsWhatCannotBeLoggedDisturbsNobody() {
    try (LeakCheckpoint checkpoint = LeakTracker.checkpoint();
        var _ =
            LeakTracker.onLeak(_ -> {
              throw new Unspeakable();
            })) {
      List<String> later = new CopyOnWriteArrayList<>();
      try (var _ = LeakTracker.onLeak(later::add)) {
        collect(Leaking.drop("a test handle", false), 1);
      }
      assertEquals(1, later.size());
      assertEquals(1, checkpoint.unreleased().size());
      assertEquals(List.of(), LeakTracker.live());
    }
  }

  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      throw new AssertionError("on purpose");
    }
  }

  @Test
  void closedListenerHearsNoMore() {
    List<String> closed = new CopyOnWriteArrayList<>();
    LeakTracker.onLeak(closed::add).close();
    collect(Leaking.drop("a test handle", false), 1);
    assertEquals(List.of(), closed);
  }

  private static WeakReference<Object> forgetAndDrop() {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, "a handle for ever");
    assertTrue(LeakTracker.forget(handle));
    assertFalse(LeakTracker.forget(handle));
    leak.released();
    return new WeakReference<>(handle);
  }

  @Test
  void forgottenHandleIsNotReported() {
    collect(forgetAndDrop(), 0);
    collect(Leaking.drop("a dropped handle", false), 1);
    assertEquals(1, reports.size());
    assertTrue(reports.getFirst().contains("a dropped handle"), reports.getFirst());
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
