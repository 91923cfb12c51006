package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmitTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);
  private final List<Object> ran = new ArrayList<>();

  @Test
  void resultOfATaskEndsItsFuture() {
    Future<String> future = executor.submit(() -> "yes");
    assertFalse(future.isDone());
    executor.step();
    assertEquals("yes", future.value());
  }

  @Test
  @SuppressWarnings("NullAway")
  void noTaskIsAnErrorAtOnce() {
    assertThrows(NullPointerException.class, () -> executor.submit(null));
    assertEquals(0, executor.step());
  }

  @Test
  void whatATaskThrowsFailsItsFuture() {
    IOException failure = new IOException("on purpose");
    Future<String> future =
        executor.submit(() -> {
          throw failure;
        });
    executor.step();
    assertSame(failure, future.cause());
  }

  @Test
  void cancelledTaskDoesNotRun() {
    Future<Boolean> future = executor.submit(() -> ran.add(1));
    assertTrue(future.cancel());
    executor.step();
    assertEquals(List.of(), ran);
  }

  @Test
  void taskThatRunsCannotBeCancelled() {
    List<Future<Boolean>> self = new ArrayList<>();
    self.add(executor.submit(() -> self.getFirst().cancel()));
    executor.step();
    assertEquals(false, self.getFirst().value());
  }

  @Test
  void laterTaskRunsAtItsTime() {
    Future<Long> future = executor.submit(clock::nanoTime, SECOND);
    executor.step();
    assertFalse(future.isDone());
    clock.advance(SECOND);
    executor.step();
    assertEquals(1_000_000_000, future.value());
  }

  @Test
  void cancellingALaterTaskTakesItsTimerOut() throws Exception {
    Future<Boolean> future = executor.submit(() -> ran.add(1), SECOND);
    assertEquals(1, executor.queue.timers());
    assertTrue(future.cancel());
    assertEquals(0, executor.queue.timers());
    Threads.elsewhere(() -> assertTrue(executor.submit(() -> ran.add(2), SECOND).cancel()));
    executor.step();
    assertEquals(0, executor.queue.timers());
    clock.advance(SECOND);
    executor.step();
    assertEquals(List.of(), ran);
  }

  @Test
  void fixedDelayCountsFromEndToStart() {
    executor.scheduleWithFixedDelay(
        () -> {
          ran.add(clock.nanoTime() / 1_000_000);
          clock.advance(Duration.ofMillis(300));
        },
        SECOND,
        SECOND);
    for (int i = 0; i < 40; i++) {
      clock.advance(Duration.ofMillis(100));
      executor.step();
    }
    assertEquals(List.of(1000L, 2300L, 3600L), ran.subList(0, 3));
  }
}
