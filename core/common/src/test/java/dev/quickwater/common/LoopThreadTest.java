package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a loop thread does with its values, at its end above all.
class LoopThreadTest {

  private final List<Object> removed = new CopyOnWriteArrayList<>();
  private final LoopLocal<String> local =
      LoopLocal.withInitial("local", () -> "made", removed::add);

  private static void runToEnd(LoopThread thread) throws InterruptedException {
    thread.start();
    assertTrue(thread.join(Duration.ofSeconds(60)));
  }

  @Test
  void endOfTheThreadRemovesItsValuesOnIt() throws Exception {
    List<Thread> on = new CopyOnWriteArrayList<>();
    LoopLocal<String> where =
        LoopLocal.withInitial("where", () -> "here", _ -> on.add(Thread.currentThread()));
    LoopThread thread = new LoopThread("loop", () -> local.set(where.get()));
    runToEnd(thread);
    assertEquals(List.of("here"), removed);
    assertEquals(List.of(thread), on);
  }

  @Test
  void replacedValueIsNotRemoved() throws Exception {
    runToEnd(
        new LoopThread(
            "loop",
            () -> {
              local.set("first");
              local.set("second");
              local.remove();
              local.remove();
              local.set("third");
            }));
    assertEquals(List.of("second", "third"), removed);
  }

  @Test
  void actionThatThrowsKeepsNoOtherFromRunning() throws Exception {
    List<LoopLocal<String>> failing = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      failing.add(
          LoopLocal.withInitial(
              "failing",
              () -> "x",
              value -> {
                removed.add(value);
                throw new AssertionError("on purpose");
              }));
    }
    runToEnd(
        new LoopThread(
            "loop",
            () -> {
              failing.forEach(LoopLocal::get);
              local.get();
              failing.getFirst().remove();
              assertFalse(failing.getFirst().isSet());
            }));
    assertEquals(11, removed.size());
  }

  @Test
  void valuesSetByRemovalAreRemovedToo() throws Exception {
    LoopLocal<Object> other = LoopLocal.withInitial("other", () -> "x", _ -> local.set("again"));
    runToEnd(new LoopThread("loop", other::get));
    assertEquals(List.of("again"), removed);
  }

  private static LoopLocal<Integer> stubborn(List<Object> removed) {
    LoopLocal<?>[] self = new LoopLocal<?>[1];
    LoopLocal<Integer> stubborn =
        LoopLocal.withInitial(
            "stubborn",
            () -> 1,
            value -> {
              removed.add(value);
              self[0].get();
            });
    self[0] = stubborn;
    return stubborn;
  }

  @Test
  void valueThatComesAgainAndAgainIsDroppedInTheEnd() throws Exception {
    LoopLocal<Integer> stubborn = stubborn(removed);
    runToEnd(new LoopThread("loop", stubborn::get));
    assertTrue(removed.size() > 1 && removed.size() < 10, removed.toString());
    runToEnd(new LoopThread("loop", () -> assertFalse(stubborn.isSet())));
  }

  @Test
  void failedBodyIsAnEndToo() throws Exception {
    LoopThread thread =
        new LoopThread(
            "loop",
            () -> {
              local.get();
              throw new IllegalStateException("on purpose");
            });
    List<Object> seen = new CopyOnWriteArrayList<>();
    thread.setUncaughtExceptionHandler((_, e) -> {
      seen.add(e.getMessage());
      seen.add(local.isSet());
      seen.add(local.get());
    });
    runToEnd(thread);
    assertEquals(List.of("made"), removed);
    assertEquals(List.of("on purpose", false, "made"), seen);
    // What the handler set, on a thread without a number, nobody else has.
    runToEnd(new LoopThread("next", () -> seen.add(local.isSet())));
    assertEquals(false, seen.getLast());
  }

  @Test
  void bodyRunsOnItsThreadAlone() throws Exception {
    List<Object> failures = new CopyOnWriteArrayList<>();
    LoopThread thread = new LoopThread("loop", () -> failures.add("ran"));
    assertThrows(IllegalStateException.class, thread::run);
    assertEquals(List.of(), failures);
    LoopThread[] self = new LoopThread[1];
    self[0] =
        new LoopThread(
            "loop", () -> failures.add(assertThrows(IllegalStateException.class, self[0]::run)));
    runToEnd(self[0]);
    assertEquals(1, failures.size());
  }

  @Test
  void numbersAreGivenBackAndMoreThreadsThanNumbersWorkAsWell() throws Exception {
    int count = LoopSlots.COUNT + 20;
    Set<Integer> before = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      List<LoopRunner> loops = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        loops.add(new LoopRunner());
      }
      int without = 0;
      Set<Integer> slots = new HashSet<>();
      for (int i = 0; i < count; i++) {
        LoopRunner loop = loops.get(i);
        String value = "value " + i;
        int[] slot = new int[1];
        loop.run(() -> {
          assertFalse(local.isSet());
          local.set(value);
          slot[0] = loop.thread().slot;
        });
        if (slot[0] == LoopSlots.NONE) {
          without++;
        } else {
          assertTrue(slots.add(slot[0]), "given twice: " + slot[0]);
        }
      }
      for (int i = 0; i < count; i++) {
        String value = "value " + i;
        loops.get(i).run(() -> assertEquals(value, local.get()));
      }
      for (LoopRunner loop : loops) {
        loop.close();
      }
      assertTrue(without >= 20, "without a number: " + without);
      assertTrue(before.isEmpty() || before.equals(slots), "numbers were lost");
      before = slots;
    }
    assertEquals(3 * count, removed.size());
  }

  @Test
  void nothingOfTheMakersIsInherited() throws Exception {
    Threads.elsewhere(() -> {
      InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
      inheritable.set("the maker's");
      Thread.currentThread().setContextClassLoader(new Classes(KeptByLoop.class));
      try (LoopRunner loop = new LoopRunner()) {
        loop.run(() -> {
          assertNull(inheritable.get());
          assertSame(
              ClassLoader.getSystemClassLoader(), Thread.currentThread().getContextClassLoader());
        });
      }
    });
  }

  private static WeakReference<ClassLoader> useCopy(LoopRunner loop) throws Exception {
    Classes loader = new Classes(KeptByLoop.class);
    Class<?> copy = loader.copy();
    assertTrue(copy != KeptByLoop.class && copy.getClassLoader() == loader);
    Runnable kept = (Runnable) copy.getConstructor().newInstance();
    loop.run(kept::run);
    return new WeakReference<>(loader);
  }

  @Test
  void loopThatLivesOnKeepsNoClassLoaderAlive() throws Exception {
    try (LoopRunner loop = new LoopRunner()) {
      WeakReference<ClassLoader> loader = useCopy(loop);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (loader.get() != null && System.nanoTime() < deadline) {
        System.gc();
        loop.run(() -> {});
      }
      assertNull(loader.get());
      assertTrue(loop.thread().isAlive());
    }
  }

  @Test
  void localThatIsGarbageIsForgotten() throws Exception {
    try (LoopRunner loop = new LoopRunner()) {
      FutureTask<Void> task =
          loop.start(() -> {
            WeakReference<Object> value = new WeakReference<>(dropLocal());
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (value.get() != null && System.nanoTime() < deadline) {
              System.gc();
            }
            assertNull(value.get());
            assertEquals(0, LoopLocal.size());
          });
      Threads.join(task);
    }
  }

  private static Object dropLocal() {
    LoopLocal<Object> dropped = LoopLocal.withInitial("dropped", Object::new);
    Object value = dropped.get();
    assertEquals(1, LoopLocal.size());
    return value;
  }
}
