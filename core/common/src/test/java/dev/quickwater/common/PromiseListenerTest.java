package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromiseListenerTest {

  private final SteppedExecutor executor = Stepped.on(new VirtualClock());
  private final Promise<String> promise = executor.newPromise();
  private final List<Object> told = new ArrayList<>();

  @Test
  void listenersRunInTheOrderInWhichTheyWereAdded() {
    for (int i = 0; i < 5; i++) {
      int number = i;
      promise.onComplete(_ -> told.add(number));
    }
    promise.success("yes");
    promise.onComplete(_ -> told.add(5));
    assertEquals(List.of(0, 1, 2, 3, 4, 5), told);
  }

  @Test
  void listenerIsCalledWithTheFuture() {
    promise.onComplete(future -> told.add(future.value()));
    promise.success("yes");
    assertEquals(List.of("yes"), told);
  }

  @Test
  void completionElsewhereTellsListenersOnTheLoop() throws Exception {
    promise.onComplete(_ -> told.add(executor.inLoop()));
    Threads.elsewhere(() -> promise.success("yes"));
    assertEquals(List.of(), told);
    executor.step();
    assertEquals(List.of(true), told);
  }

  @Test
  void listenerAddedBetweenTheEndAndItsNotificationStaysBehindEarlierOnes() throws Exception {
    promise.onComplete(_ -> told.add(1));
    Threads.elsewhere(() -> promise.success("yes"));
    promise.onComplete(_ -> told.add(2));
    assertEquals(List.of(), told);
    executor.step();
    assertEquals(List.of(1, 2), told);
  }

  @Test
  void listenerAddedByAListenerRunsAfterTheOthers() {
    promise.onComplete(_ -> {
      promise.onComplete(_ -> told.add(3));
      told.add(1);
    });
    promise.onComplete(_ -> told.add(2));
    promise.success("yes");
    assertEquals(List.of(1, 2, 3), told);
  }

  @Test
  void listenerThatThrowsDoesNotStopTheNext() {
    promise.onComplete(_ -> {
      throw new IllegalStateException("on purpose");
    });
    promise.onComplete(_ -> told.add(1));
    promise.success("yes");
    assertEquals(List.of(1), told);
  }

  @Test
  void chainOfAMillionCompletionsNeedsNoStack() {
    Promise<String> next = promise;
    for (int i = 0; i < 1_000_000; i++) {
      Promise<String> following = executor.newPromise();
      next.onComplete(future -> following.success(future.value()));
      next = following;
    }
    promise.success("through");
    assertEquals("through", next.value());
  }

  @Test
  void afterTheExecutorHasEndedListenersRunOnTheCompletingThread() throws Exception {
    promise.onComplete(_ -> told.add(Thread.currentThread()));
    executor.close();
    Threads.elsewhere(() -> {
      assertTrue(promise.trySuccess("late"));
      promise.onComplete(_ -> told.add("later"));
      assertEquals(List.of(Thread.currentThread(), "later"), told);
    });
    promise.onComplete(_ -> told.add("at last"));
    assertEquals(3, told.size());
  }

  @Test
  void chainOnAnExecutorThatHasEndedNeedsNoStack() throws Exception {
    Promise<String> next = promise;
    for (int i = 0; i < 100_000; i++) {
      Promise<String> following = executor.newPromise();
      next.onComplete(future -> following.success(future.value()));
      next = following;
    }
    executor.close();
    Promise<String> last = next;
    Threads.elsewhere(() -> {
      promise.success("through");
      assertEquals("through", last.value());
    });
  }

  @Test
  void completionElsewhereDoesNotNestListeners() throws Exception {
    Promise<String> other = executor.newPromise();
    other.onComplete(_ -> told.add("inner"));
    promise.onComplete(_ -> {
      other.success("yes");
      told.add("outer");
    });
    Threads.elsewhere(() -> promise.success("yes"));
    executor.step();
    assertEquals(List.of("outer", "inner"), told);
  }
}
