package dev.quickwater.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.LeakTracker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests run at the level paranoid.
class LeakExtensionTest {

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class OneTestLeaks {
    static final List<Object> HELD = new java.util.ArrayList<>();

    @Test
    void clean() {
      new Handle().release();
    }

    @Test
    void leaking() {
      HELD.add(new Handle().touch("was here"));
    }

    @Test
    void leakingTwice() {
      HELD.add(new Handle());
      HELD.add(new Handle());
    }

    @Test
    void failingAndLeaking() {
      HELD.add(new Handle());
      throw new IllegalStateException("the test's own");
    }
  }

  @Test
  void leakFailsTheTestThatMadeItAndNoOther() {
    Outcome outcome = Outcome.of(OneTestLeaks.class);
    assertEquals("", outcome.of("clean()"));
    assertEquals("", outcome.of(OneTestLeaks.class.getSimpleName()));
    String failure = outcome.of("leaking()");
    assertTrue(
        failure.startsWith(
            "dev.quickwater.junit.LeakError: the test leaking() did not release a handle:\n"
                + "leak: a handle was never released\n  created by "),
        failure);
    assertTrue(failure.contains("LeakExtensionTest$OneTestLeaks.leaking("), failure);
    assertTrue(failure.contains(": was here\n"), failure);
    assertTrue(
        outcome.of("leakingTwice()").contains("leakingTwice() did not release 2 handles:"),
        failure);
    assertEquals(
        "java.lang.IllegalStateException: the test's own", outcome.of("failingAndLeaking()"));
  }

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class ManyInvocations {
    static final List<Object> HELD = new java.util.ArrayList<>();

    @ParameterizedTest(name = "invocation {0}")
    @ValueSource(ints = {1, 2, 3})
    void secondLeaks(int number) {
      Handle handle = new Handle();
      if (number == 2) {
        HELD.add(handle);
      } else {
        handle.release();
      }
    }

    @TestFactory
    Stream<DynamicTest> factory() {
      return Stream.of(
          DynamicTest.dynamicTest("dynamic leaking", () -> HELD.add(new Handle())),
          DynamicTest.dynamicTest("dynamic clean", () -> new Handle().release()));
    }
  }

  @Test
  void eachInvocationIsATestAndDynamicTestsAreOneWithTheirFactory() {
    Outcome outcome = Outcome.of(ManyInvocations.class);
    assertEquals("", outcome.of("invocation 1"));
    assertTrue(
        outcome.of("invocation 2").contains("the test invocation 2 did not release a handle:"),
        outcome.of("invocation 2"));
    assertEquals("", outcome.of("invocation 3"));
    assertEquals("", outcome.of("dynamic leaking"));
    assertEquals("", outcome.of("dynamic clean"));
    assertTrue(
        outcome.of("factory()").contains("the test factory() did not release a handle:"),
        outcome.of("factory()"));
    assertEquals("", outcome.of("ManyInvocations"));
  }

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class Surrounded {
    static @Nullable Handle ofTheClass;
    @Nullable Handle ofTheTest;

    @BeforeAll
    static void beforeAll() {
      ofTheClass = new Handle();
    }

    @BeforeEach
    void before() {
      ofTheTest = new Handle();
    }

    @AfterEach
    void after() {
      ofTheTest.release();
    }

    @AfterAll
    static void afterAll() {
      ofTheClass.release();
    }

    @Test
    void one() {}

    @Nested
    final class Within {
      @Test
      void two() {}
    }
  }

  @Test
  void whatAClassOrTheMethodsAroundATestReleaseIsNoLeak() {
    Outcome outcome = Outcome.of(Surrounded.class);
    assertEquals("", outcome.of("one()"));
    assertEquals("", outcome.of("two()"));
    assertEquals("", outcome.of("Surrounded"));
  }

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class ClassLeaks {
    static @Nullable Handle held;

    @BeforeAll
    static void beforeAll() {
      held = new Handle();
    }

    @Test
    void one() {}
  }

  @Test
  void leakOfTheClassFailsTheClass() {
    Outcome outcome = Outcome.of(ClassLeaks.class);
    assertEquals("", outcome.of("one()"));
    assertTrue(
        outcome
            .of("ClassLeaks")
            .contains("the class " + ClassLeaks.class.getName() + " did not release a handle:"),
        outcome.of("ClassLeaks"));
  }

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class Exempt {
    static final List<Object> HELD = new java.util.ArrayList<>();

    @Test
    void forgotten() {
      Handle handle = new Handle();
      HELD.add(handle);
      assertTrue(LeakTracker.forget(handle));
    }

    @Test
    @MayLeak("to show that it may")
    void excused() {
      HELD.add(new Handle());
    }

    @Nested
    @MayLeak("to show that it may")
    final class Within {
      @Test
      void excusedByItsClass() {
        HELD.add(new Handle());
      }
    }
  }

  @Test
  void exemptHandlesAndTestsPass() {
    Outcome outcome = Outcome.of(Exempt.class);
    assertEquals("", outcome.of("forgotten()"));
    assertEquals("", outcome.of("excused()"));
    assertEquals("", outcome.of("excusedByItsClass()"));
    assertEquals("", outcome.of("Within"));
    assertEquals("", outcome.of("Exempt"));
  }

  /// Releases what it is given, once the test is over as far as it can tell.
  @Inner
  @ExtendWith(LeakExtension.class)
  static final class ReleasedElsewhere {
    static final LinkedBlockingQueue<Handle> LATER = new LinkedBlockingQueue<>();
    static final CountDownLatch ENDED = new CountDownLatch(1);

    @Test
    void handsOver() {
      LATER.add(new Handle());
    }

    @AfterEach
    void ended() {
      ENDED.countDown();
    }
  }

  @Test
  void releaseOnAnotherThreadAfterTheTestIsWaitedFor() throws Exception {
    Thread other =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                ReleasedElsewhere.ENDED.await(60, TimeUnit.SECONDS);
                ReleasedElsewhere.LATER.take().release();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertEquals("", Outcome.of(ReleasedElsewhere.class).of("handsOver()"));
    other.join(60_000);
  }

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class Collected {
    @Test
    void dropped() {
      long before = LeakTracker.reportUnreachable();
      drop();
      long deadline = System.nanoTime() + 30_000_000_000L;
      while (LeakTracker.reportUnreachable() == before && System.nanoTime() < deadline) {
        System.gc();
      }
    }

    private static void drop() {
      new Handle().touch("dropped");
    }
  }

  @Test
  void whatTheCollectorFoundDuringATestIsALeakOfThatTest() {
    String failure = Outcome.of(Collected.class).of("dropped()");
    assertTrue(failure.contains("the test dropped() did not release a handle:"), failure);
  }

  private static final Map<String, String> PARALLEL =
      Map.of("junit.jupiter.execution.parallel.enabled", "true");

  @Inner
  @ExtendWith(LeakExtension.class)
  static final class NotIsolated {
    @Test
    void one() {}
  }

  @Test
  void parallelTestsNeedIsolation() {
    assertEquals("", Outcome.of(NotIsolated.class).of("NotIsolated"));
    String failure = Outcome.of(NotIsolated.class, PARALLEL).of("NotIsolated");
    assertTrue(failure.contains("annotate it with @NoLeaks or @Isolated"), failure);
  }

  @Inner
  static final class Concurrent {
    static final List<Object> HELD = new java.util.ArrayList<>();

    @NoLeaks(graceMillis = 0)
    @Execution(ExecutionMode.CONCURRENT)
    @Nested
    final class Checked {
      @Test
      void clean() {
        for (int i = 0; i < 100; i++) {
          new Handle().release();
        }
      }

      @Test
      void leaking() {
        synchronized (HELD) {
          HELD.add(new Handle());
        }
      }
    }

    @Execution(ExecutionMode.CONCURRENT)
    @Nested
    final class Unchecked {
      @Test
      void leakingToo() {
        synchronized (HELD) {
          HELD.add(new Handle());
        }
      }
    }
  }

  @Test
  void annotatedClassRunsAloneWhereOthersRunInParallel() {
    Outcome outcome = Outcome.of(Concurrent.class, PARALLEL);
    assertEquals("", outcome.of("clean()"));
    assertEquals("", outcome.of("leakingToo()"));
    assertTrue(outcome.of("leaking()").contains("did not release a handle:"));
    assertEquals("", outcome.of("Checked"));
  }

  @Test
  void nothingIsSaidOfTheLevelParanoid() {
    assertEquals(List.of(), Outcome.of(NotIsolated.class).entries());
  }
}
