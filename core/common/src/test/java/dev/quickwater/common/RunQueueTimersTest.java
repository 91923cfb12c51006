package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunQueueTimersTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);
  private final List<Object> ran = new ArrayList<>();

  private int step(Duration time) {
    clock.advance(time);
    return executor.step();
  }

  @Test
  void timerRunsNotBeforeItsTime() {
    Timer timer = executor.schedule(() -> ran.add(1), SECOND);
    assertEquals(0, step(Duration.ofNanos(999_999_999)));
    assertTrue(timer.isPending());
    assertEquals(1, step(Duration.ofNanos(1)));
    assertFalse(timer.isPending());
    assertEquals(0, step(SECOND));
  }

  @Test
  void equalDeadlinesRunInTheOrderOfTheirArrival() {
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      executor.schedule(() -> ran.add(number), SECOND);
      expected.add(i);
    }
    step(SECOND);
    assertEquals(expected, ran);
  }

  @Test
  void timersRunByDeadline() {
    executor.schedule(() -> ran.add(3), Duration.ofMillis(3));
    executor.schedule(() -> ran.add(1), Duration.ofMillis(1));
    executor.schedule(() -> ran.add(2), Duration.ofMillis(2));
    step(SECOND);
    assertEquals(List.of(1, 2, 3), ran);
  }

  @Test
  void cancelledTaskLeavesQueueAtOnce() {
    Timer timer = executor.schedule(() -> ran.add(1), SECOND);
    assertEquals(1, executor.queue.timers());
    assertTrue(timer.cancel());
    assertEquals(0, executor.queue.timers());
    assertFalse(timer.cancel());
    assertFalse(timer.isPending());
    step(SECOND);
    assertEquals(List.of(), ran);
  }

  @Test
  void cancelFromElsewhereLeavesInTheNextTurn() throws Exception {
    Timer timer = executor.schedule(() -> ran.add(1), SECOND);
    Threads.elsewhere(() -> assertTrue(timer.cancel()));
    executor.step();
    assertEquals(0, executor.queue.timers());
  }

  @Test
  void timerScheduledAndCancelledElsewhereNeverEntersTheHeap() throws Exception {
    Threads.elsewhere(() -> executor.schedule(() -> ran.add(1), SECOND).cancel());
    executor.step();
    assertEquals(0, executor.queue.timers());
    step(SECOND);
    assertEquals(List.of(), ran);
  }

  @Test
  void timerThatRanCannotBeCancelled() {
    Timer timer = executor.schedule(() -> {}, Duration.ZERO);
    executor.step();
    assertFalse(timer.cancel());
  }

  @Test
  void timerThatThrowsDoesNotStopTheNext() {
    executor.schedule(
        () -> {
          throw new IllegalStateException("on purpose");
        },
        Duration.ZERO);
    executor.schedule(() -> ran.add(1), Duration.ZERO);
    assertEquals(2, executor.step());
    assertEquals(List.of(1), ran);
  }

  @Test
  void timerWithoutDelayRunsInTheNextTurnWhenScheduledInsideOne() {
    executor.schedule(
        () -> {
          ran.add(1);
          executor.schedule(() -> ran.add(2), Duration.ofDays(-400_000));
        },
        Duration.ZERO);
    assertEquals(1, executor.step());
    assertEquals(1, executor.step());
    assertEquals(List.of(1, 2), ran);
  }

  @Test
  void veryLongDelaysAreOrderedAfterShortOnes() {
    clock.advance(Duration.ofDays(36_500));
    executor.schedule(() -> ran.add("late"), Duration.ofSeconds(Long.MAX_VALUE));
    executor.schedule(() -> ran.add("soon"), SECOND);
    step(SECOND);
    assertEquals(List.of("soon"), ran);
    assertEquals(1, executor.queue.timers());
  }

  @Test
  void periodCountsFromStartToStart() {
    executor.scheduleAtFixedRate(() -> ran.add(clock.nanoTime()), SECOND, SECOND);
    step(SECOND);
    step(Duration.ofMillis(1_500));
    step(Duration.ofMillis(500));
    assertEquals(List.of(1_000_000_000L, 2_500_000_000L, 3_000_000_000L), ran);
  }

  @Test
  void periodicTaskCanCancelItself() {
    Timer[] timer = new Timer[1];
    timer[0] = executor.scheduleAtFixedRate(() -> ran.add(timer[0].cancel()), SECOND, SECOND);
    step(SECOND);
    step(SECOND);
    assertEquals(List.of(true), ran);
    assertFalse(timer[0].isPending());
    assertEquals(0, executor.queue.timers());
  }

  @Test
  void periodicTaskThatThrowsEnds() {
    Timer timer =
        executor.scheduleAtFixedRate(
            () -> {
              ran.add(1);
              throw new IllegalStateException("on purpose");
            },
            SECOND,
            SECOND);
    step(SECOND);
    step(SECOND);
    assertEquals(List.of(1), ran);
    assertFalse(timer.isPending());
    assertFalse(timer.cancel());
  }

  @Test
  void periodicTaskThatIsFarBehindDoesNotHoldUpOthers() {
    executor.scheduleAtFixedRate(
        () -> ran.add("often"), Duration.ofMillis(1), Duration.ofMillis(1));
    executor.schedule(() -> ran.add("once"), Duration.ofMillis(500));
    step(SECOND);
    assertEquals(List.of("often", "once"), ran);
  }

  @Test
  void periodicTimerCancelledByALaterOneOfTheSameTurnStaysOut() {
    Timer periodic = executor.scheduleAtFixedRate(() -> ran.add(1), SECOND, SECOND);
    executor.schedule(() -> ran.add(periodic.cancel()), SECOND);
    step(SECOND);
    step(SECOND);
    assertEquals(List.of(1, true), ran);
    assertEquals(0, executor.queue.timers());
  }
}
