package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeakCheckpointTest {

  private static String what(List<LeakTracker.Leak> leaks) {
    return leaks.toString();
  }

  @Test
  void knowsWhatWasTrackedSinceAndIsHeld() {
    Object before = new Object();
    LeakTracker.Leak older = LeakTracker.track(before, "older");
    try (LeakCheckpoint checkpoint = LeakTracker.checkpoint()) {
      assertEquals("[]", what(checkpoint.unreleased()));
      Object after = new Object();
      LeakTracker.Leak newer = LeakTracker.track(after, "newer");
      assertEquals("[Leak[newer]]", what(checkpoint.unreleased()));
      newer.released();
      assertEquals("[]", what(checkpoint.unreleased()));
    }
    older.released();
  }

  @Test
  void laterCheckpointSeesLess() {
    try (LeakCheckpoint first = LeakTracker.checkpoint()) {
      Object one = new Object();
      LeakTracker.Leak leak = LeakTracker.track(one, "one");
      try (LeakCheckpoint second = LeakTracker.checkpoint()) {
        assertEquals("[Leak[one]]", what(first.unreleased()));
        assertEquals("[]", what(second.unreleased()));
      }
      leak.released();
    }
  }

  @Test
  void whatTheCollectorFoundIsStillUnreleased() {
    List<String> reports = new CopyOnWriteArrayList<>();
    try (LeakCheckpoint checkpoint = LeakTracker.checkpoint();
        var _ = LeakTracker.onLeak(reports::add)) {
      Leaking.collect(Leaking.drop("dropped", false), reports, 1);
      assertEquals("[Leak[dropped]]", what(checkpoint.unreleased()));
    }
  }

  /// The first listener asks before the checkpoint has been told, as another thread may.
  @Test
  void whatIsJustBeingReportedIsUnreleasedAndReportedOnce() {
    List<String> seen = new ArrayList<>();
    AtomicReference<@Nullable LeakCheckpoint> asked = new AtomicReference<>();
    try (var _ =
            LeakTracker.onLeak(report -> {
              LeakCheckpoint checkpoint = asked.get();
              if (checkpoint != null) {
                seen.add(what(checkpoint.unreleased()));
              }
            });
        LeakCheckpoint checkpoint = LeakTracker.checkpoint()) {
      asked.set(checkpoint);
      Object handle = new Object();
      LeakTracker.Leak leak = LeakTracker.track(handle, "reported");
      leak.enqueue();
      LeakTracker.reportUnreachable();
      assertEquals(List.of("[Leak[reported]]"), seen);
      assertEquals("[Leak[reported]]", what(checkpoint.unreleased()));
      LeakTracker.reportUnreachable();
      assertEquals(1, seen.size());
      assertNotNull(handle);
    }
  }

  /// What a listener finds while it is told of another leak is told later.
  @Test
  void whatWaitsToBeReportedIsUnreleased() {
    List<String> seen = new ArrayList<>();
    List<LeakTracker.Leak> leaks = new ArrayList<>();
    List<Object> handles = List.of(new Object(), new Object());
    try (LeakCheckpoint checkpoint = LeakTracker.checkpoint();
        var _ =
            LeakTracker.onLeak(report -> {
              leaks.getLast().enqueue();
              LeakTracker.reportUnreachable();
              seen.add(sorted(checkpoint.unreleased()));
            })) {
      leaks.add(LeakTracker.track(handles.getFirst(), "first"));
      leaks.add(LeakTracker.track(handles.getLast(), "second"));
      leaks.getFirst().enqueue();
      LeakTracker.reportUnreachable();
      String both = "[Leak[first], Leak[second]]";
      assertEquals(List.of(both, both), seen);
      assertEquals(both, sorted(checkpoint.unreleased()));
    }
  }

  /// A handle whose last holder released it while the collector looked is no leak.
  @Test
  void whatWasReleasedBeforeItIsFoundIsNoLeak() {
    try (LeakCheckpoint checkpoint = LeakTracker.checkpoint()) {
      Object handle = new Object();
      LeakTracker.Leak leak = LeakTracker.track(handle, "released");
      leak.enqueue();
      leak.released();
      long before = LeakTracker.reportUnreachable();
      assertEquals("[]", what(checkpoint.unreleased()));
      assertEquals(before, LeakTracker.reportUnreachable());
      assertNotNull(handle);
    }
  }

  private static String sorted(List<LeakTracker.Leak> leaks) {
    return leaks.stream().map(LeakTracker.Leak::toString).sorted().toList().toString();
  }

  /// Handles of many threads, released in every order by any of them.
  @Test
  void releaseInAnyOrderByAnyThreadLeavesNothing() throws Exception {
    try (LeakCheckpoint checkpoint = LeakTracker.checkpoint()) {
      List<Object> handles = Collections.synchronizedList(new ArrayList<>());
      List<LeakTracker.Leak> leaks = Collections.synchronizedList(new ArrayList<>());
      Threads.together(
          4,
          number -> {
            for (int i = 0; i < 100; i++) {
              Object handle = new Object();
              handles.add(handle);
              leaks.add(LeakTracker.track(handle, "of " + number));
            }
          });
      assertEquals(400, checkpoint.unreleased().size());
      Collections.shuffle(leaks, new java.util.Random(1));
      Threads.together(
          4,
          number ->
              leaks.subList(number * 99, number * 99 + 99).forEach(LeakTracker.Leak::released));
      assertEquals(4, checkpoint.unreleased().size());
      leaks.forEach(LeakTracker.Leak::released);
      assertEquals("[]", what(checkpoint.unreleased()));
      assertEquals(400, handles.size());
    }
  }
}
