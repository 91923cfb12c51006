package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HashedWheelTimerTest {

  private static final Duration TICK = Duration.ofMillis(10);
  private static final WheelSettings SETTINGS =
      WheelSettings.DEFAULT.withTick(TICK).withSlots(16).withMaxPending(1_000);

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);
  private final HashedWheelTimer wheel = new HashedWheelTimer(executor, SETTINGS);
  private final List<Object> ran = new ArrayList<>();

  private void advance(Duration time) {
    clock.advance(time);
    executor.step();
  }

  @Test
  void taskRunsAtTheTickAfterItsTime() {
    Timer timer = wheel.schedule(() -> ran.add(1), Duration.ofMillis(11));
    advance(Duration.ofMillis(19));
    assertTrue(timer.isPending());
    assertEquals(List.of(), ran);
    advance(Duration.ofMillis(1));
    assertEquals(List.of(1), ran);
    assertFalse(timer.isPending());
    assertFalse(timer.cancel());
  }

  @Test
  void withoutTimersNothingTicks() {
    assertEquals(Long.MAX_VALUE, executor.nanosToWait());
    Timer timer = wheel.schedule(() -> {}, Duration.ofSeconds(1));
    assertEquals(TICK.toNanos(), executor.nanosToWait());
    timer.cancel();
    advance(TICK);
    assertEquals(Long.MAX_VALUE, executor.nanosToWait());
    advance(Duration.ofDays(1));
    wheel.schedule(() -> ran.add(1), TICK);
    advance(TICK);
    assertEquals(List.of(1), ran);
  }

  @Test
  void cancelledTimerLeavesAtOnce() throws Exception {
    Timer timer = wheel.schedule(() -> ran.add(1), Duration.ofDays(1));
    assertEquals(1, wheel.pending());
    Threads.elsewhere(() -> assertTrue(timer.cancel()));
    assertEquals(0, wheel.pending());
    assertFalse(timer.cancel());
    advance(Duration.ofDays(1));
    assertEquals(List.of(), ran);
  }

  @Test
  void oneTimerTooManyIsRefusedUntilAnotherLeaves() {
    List<Timer> timers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      timers.add(wheel.schedule(() -> {}, TICK));
    }
    RejectedExecutionException e =
        assertThrows(RejectedExecutionException.class, () -> wheel.schedule(() -> {}, TICK));
    assertEquals(
        "1000 timers wait already, as many as maxPending of WheelSettings allows", e.getMessage());
    timers.getFirst().cancel();
    wheel.schedule(() -> {}, TICK);
    advance(TICK);
    assertEquals(0, wheel.pending());
  }

  @Test
  void taskThatThrowsDoesNotStopTheNext() {
    wheel.schedule(
        () -> {
          throw new IllegalStateException("on purpose");
        },
        TICK);
    wheel.schedule(() -> ran.add(1), TICK);
    advance(TICK);
    assertEquals(List.of(1), ran);
  }

  @Test
  void taskMaySetUpTheNextAndCancelItsNeighbour() {
    Timer neighbour = wheel.schedule(() -> ran.add("neighbour"), Duration.ofSeconds(1));
    wheel.schedule(
        () -> {
          ran.add(neighbour.cancel());
          wheel.schedule(() -> ran.add("next"), Duration.ZERO);
        },
        TICK);
    advance(TICK);
    assertEquals(List.of(true), ran);
    advance(TICK);
    assertEquals(List.of(true, "next"), ran);
  }

  @Test
  void taskMayCancelANeighbourOfItsOwnTick() {
    List<Timer> timers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int number = i;
      timers.add(
          wheel.schedule(
              () -> {
                ran.add(number);
                ran.add(timers.get((number + 1) % 3).cancel());
              },
              TICK));
    }
    advance(TICK);
    assertEquals(List.of(0, true, 2, false), ran);
    assertFalse(timers.get(1).isPending());
    assertEquals(0, wheel.pending());
  }

  @Test
  void stopHandsBackWhatIsDueAndHasNotRun() {
    Runnable second = () -> ran.add("second");
    wheel.schedule(() -> ran.add(wheel.stop()), TICK);
    Timer timer = wheel.schedule(second, TICK);
    advance(TICK);
    assertEquals(List.of(List.of(second)), ran);
    assertFalse(timer.isPending());
    assertEquals(0, wheel.pending());
  }

  @Test
  void taskThatHasRunIsNotKept() {
    Object[] held = {new Object()};
    WeakReference<Object> weak = new WeakReference<>(held[0]);
    scheduleUse(held[0]);
    held[0] = ran;
    advance(TICK);
    ran.clear();
    assertCollected(weak);
  }

  private void scheduleUse(Object object) {
    wheel.schedule(() -> ran.add(object), TICK);
  }

  @Test
  void wheelThatWasStoppedIsNotKeptByItsExecutor() {
    assertCollected(stopped());
  }

  private WeakReference<HashedWheelTimer> stopped() {
    HashedWheelTimer unused = new HashedWheelTimer(executor, SETTINGS);
    unused.stop();
    return new WeakReference<>(unused);
  }

  private static void assertCollected(WeakReference<?> weak) {
    for (int i = 0; i < 100 && weak.get() != null; i++) {
      System.gc();
    }
    assertNull(weak.get());
  }

  @Test
  void stopHandsBackWhatWaits() {
    Runnable task = () -> ran.add(1);
    Timer timer = wheel.schedule(task, TICK);
    wheel.schedule(task, Duration.ofDays(1));
    assertEquals(List.of(task, task), wheel.stop());
    assertEquals(List.of(), wheel.stop());
    assertFalse(timer.isPending());
    assertFalse(timer.cancel());
    assertThrows(RejectedExecutionException.class, () -> wheel.schedule(task, TICK));
    advance(Duration.ofDays(1));
    assertEquals(List.of(), ran);
  }

  @Test
  void wheelStopsWithItsExecutor() throws Exception {
    Timer timer = wheel.schedule(() -> {}, TICK);
    executor.close();
    assertFalse(timer.isPending());
    assertEquals(0, wheel.pending());
    Threads.elsewhere(
        () -> assertThrows(RejectedExecutionException.class, () -> wheel.schedule(() -> {}, TICK)));
  }

  @Test
  void executorThatStopsBeforeTheFirstTimerRefusesIt() throws Exception {
    executor.shutdown();
    Threads.elsewhere(
        () -> assertThrows(RejectedExecutionException.class, () -> wheel.schedule(() -> {}, TICK)));
    assertEquals(0, wheel.pending());
  }

  @Test
  void executorThatIsBeingShutDownRefusesItsOwnTimers() {
    executor.execute(() -> {
      executor.shutdown();
      assertThrows(RejectedExecutionException.class, () -> wheel.schedule(() -> {}, TICK));
      ran.add("refused");
    });
    executor.step();
    assertEquals(List.of("refused"), ran);
    assertEquals(0, wheel.pending());
  }

  /// Such as a stack or a heap that is used up.
  @Test
  void errorWhenTheTicksBeginIsNotTheEndOfThem() {
    AtomicInteger good = new AtomicInteger(Integer.MAX_VALUE);
    Clock failing =
        () -> {
          if (good.getAndDecrement() == 0) {
            throw new StackOverflowError("on purpose");
          }
          return clock.nanoTime();
        };
    SteppedExecutor hosted = Stepped.on(failing);
    HashedWheelTimer begun = new HashedWheelTimer(hosted, SETTINGS);
    good.set(1); // for the timer's own time, but not for that of the tick
    assertThrows(StackOverflowError.class, () -> begun.schedule(() -> ran.add(1), TICK));
    good.set(Integer.MAX_VALUE);
    assertEquals(0, begun.pending());
    begun.schedule(() -> ran.add(2), TICK);
    clock.advance(TICK);
    hosted.step();
    assertEquals(List.of(2), ran);
  }

  /// A wheel whose tick found no memory for the next goes on when a timer comes.
  @Test
  void errorWhenTheTicksGoOnIsNotTheEndOfThem() {
    AtomicInteger good = new AtomicInteger(Integer.MAX_VALUE);
    Clock failing =
        () -> {
          if (good.getAndDecrement() == 0) {
            throw new OutOfMemoryError("on purpose");
          }
          return clock.nanoTime();
        };
    SteppedExecutor hosted = Stepped.on(failing);
    HashedWheelTimer begun = new HashedWheelTimer(hosted, SETTINGS);
    begun.schedule(() -> ran.add(1), TICK.multipliedBy(2));
    clock.advance(TICK);
    good.set(3); // for the step, its turn and the tick, but not for the next tick
    hosted.step();
    assertTrue(good.get() < 0);
    good.set(Integer.MAX_VALUE);
    begun.schedule(() -> ran.add(2), TICK);
    clock.advance(TICK);
    hosted.step();
    assertEquals(List.of(1, 2), ran);
  }

  /// A tick looks at its own slot's timers, not at all that wait.
  @Test
  void manyTimersOfOneTickLeaveTheExecutorItsTurns() {
    HashedWheelTimer large = new HashedWheelTimer(executor, SETTINGS.withMaxPending(100_000));
    AtomicInteger expired = new AtomicInteger();
    for (int i = 0; i < 10_000; i++) {
      large.schedule(expired::incrementAndGet, TICK);
    }
    clock.advance(TICK);
    executor.step(0);
    int first = expired.get();
    assertTrue(first > 0 && first < 2_000, "ran in one turn: " + first);
    executor.step();
    assertEquals(10_000, expired.get());
  }

  @Test
  void timersOfManyThreadsRunOrAreCancelledOnce() throws Exception {
    int each = 20_000;
    AtomicInteger expired = new AtomicInteger();
    AtomicInteger cancelled = new AtomicInteger();
    try (ThreadExecutor thread = new ThreadExecutor("wheel")) {
      HashedWheelTimer shared =
          new HashedWheelTimer(thread, WheelSettings.DEFAULT.withTick(Duration.ofMillis(1)));
      Threads.together(
          3,
          seed -> {
            Random random = new Random(seed);
            for (int i = 0; i < each; i++) {
              Duration delay = Duration.ofMillis(random.nextInt(5));
              Timer timer = shared.schedule(expired::incrementAndGet, delay);
              if (random.nextInt(3) == 0 && timer.cancel()) {
                cancelled.incrementAndGet();
              }
            }
          });
      Promise<Void> later = thread.newPromise();
      shared.schedule(() -> later.success(null), Duration.ofMillis(10));
      later.await(Duration.ofSeconds(30));
      assertEquals(0, shared.pending());
    }
    assertEquals(3 * each, expired.get() + cancelled.get());
  }

  @Test
  void settingsAreChecked() {
    assertThrows(
        IllegalArgumentException.class, () -> SETTINGS.withTick(Duration.ofNanos(999_999)));
    assertThrows(IllegalArgumentException.class, () -> SETTINGS.withTick(Duration.ofDays(1)));
    assertThrows(IllegalArgumentException.class, () -> SETTINGS.withSlots(100));
    assertThrows(IllegalArgumentException.class, () -> SETTINGS.withSlots(8));
    assertThrows(IllegalArgumentException.class, () -> SETTINGS.withSlots(1 << 17));
    assertThrows(IllegalArgumentException.class, () -> SETTINGS.withMaxPending(0));
  }

  private final class Owner implements Task {
    @Override
    public void run() {
      ran.add("ran");
    }

    @Override
    public void abandoned(Throwable cause) {
      ran.add(cause.getMessage());
    }
  }

  @Test
  void tasksAreAbandonedWhenTheExecutorEnds() {
    wheel.schedule(new Owner(), Duration.ofSeconds(1));
    executor.close();
    assertEquals(List.of("the wheel's executor has ended"), ran);
  }

  @Test
  void tasksAreAbandonedWhenTheWheelIsClosed() {
    wheel.schedule(new Owner(), Duration.ofSeconds(1));
    wheel.close();
    assertEquals(List.of("the wheel was closed before the timer's time"), ran);
  }
}
