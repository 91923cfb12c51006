package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class FutureCancelTest {

  private final SteppedExecutor executor = Stepped.on(new VirtualClock());
  private final Promise<String> promise = executor.newPromise();
  private final List<Object> told = new ArrayList<>();

  @Test
  void cancelEndsAPendingFuture() {
    promise.onComplete(future -> told.add(future.isCancelled()));
    assertTrue(promise.cancel());
    assertFalse(promise.cancel());
    assertTrue(promise.isDone());
    assertTrue(promise.isCancelled());
    assertFalse(promise.isSuccess());
    assertInstanceOf(CancellationException.class, promise.cause());
    assertEquals(List.of(true), told);
    assertFalse(promise.trySuccess("late"));
    assertFalse(promise.claim());
  }

  @Test
  void cancelWakesWhoAwaits() throws Exception {
    Threads.elsewhere(() -> {
      promise.cancel();
      ExecutionException e = Assertions.assertThrows(ExecutionException.class, promise::await);
      assertInstanceOf(CancellationException.class, e.getCause());
    });
  }

  @Test
  void claimedFutureCannotBeCancelled() {
    assertTrue(promise.claim());
    assertTrue(promise.claim());
    assertFalse(promise.cancel());
    assertFalse(promise.isDone());
    assertEquals("Future[pending]", promise.toString());
    promise.onComplete(future -> told.add(future.value()));
    assertFalse(promise.cancel());
    promise.success("yes");
    promise.onComplete(future -> told.add("late " + future.value()));
    assertEquals(List.of("yes", "late yes"), told);
  }

  @Test
  void claimBetweenListenersCountsAndTellsAll() {
    promise.onComplete(_ -> told.add(1));
    promise.onComplete(_ -> told.add(2));
    assertTrue(promise.claim());
    promise.onComplete(_ -> told.add(3));
    assertFalse(promise.cancel());
    promise.success("yes");
    assertEquals(List.of(1, 2, 3), told);
  }

  @Test
  void claimedFutureThatEndsElsewhereTellsListenersInOrder() throws Exception {
    promise.claim();
    promise.onComplete(_ -> told.add(1));
    Threads.elsewhere(() -> promise.success("yes"));
    promise.onComplete(_ -> told.add(2));
    executor.step();
    assertEquals(List.of(1, 2), told);
  }

  /// The claim of a promise without listeners is one object for all: it must never be written.
  @Test
  void manyClaimedPromisesShareNothing() {
    for (int i = 0; i < 1_000; i++) {
      Promise<Integer> each = executor.newPromise();
      int number = i;
      each.claim();
      each.onComplete(future -> told.add(future.value() - number));
      each.onComplete(_ -> told.add(0));
      each.success(i);
    }
    assertEquals(2_000, told.size());
    assertTrue(told.stream().allMatch(Integer.valueOf(0)::equals));
  }

  @Test
  void doneFutureCannotBeCancelled() {
    promise.success("yes");
    assertFalse(promise.cancel());
    assertFalse(promise.isCancelled());
  }

  /// Whoever wins, exactly one of cancellation and claim does.
  @Test
  void cancelThatRacesAClaimEndsOneWay() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      Promise<Integer> racing = executor.newPromise();
      if (round % 2 == 0) {
        racing.onComplete(_ -> {});
      }
      AtomicInteger winners = new AtomicInteger();
      Threads.together(
          2,
          number -> {
            if (number == 0 ? racing.cancel() : racing.claim()) {
              winners.incrementAndGet();
            }
          });
      assertEquals(1, winners.get());
    }
  }
}
