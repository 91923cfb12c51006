package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
