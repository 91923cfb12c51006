package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FutureDerivedTest {

  private final SteppedExecutor executor = Stepped.on(new VirtualClock());
  private final Promise<String> promise = executor.newPromise();
  private final IOException failure = new IOException("on purpose");
  private final IllegalStateException thrown = new IllegalStateException("on purpose");

  @Test
  void mapTurnsTheValueAndPassesAFailure() {
    Future<Integer> length = promise.map(String::length);
    assertFalse(length.isDone());
    promise.success("three");
    assertEquals(5, length.value());
    assertSame(executor, length.executor());
    assertSame(failure, executor.<String>failed(failure).map(String::length).cause());
  }

  @Test
  void functionThatThrowsFailsTheResult() {
    promise.success("yes");
    assertSame(thrown, promise.map(_ -> raise()).cause());
    assertSame(thrown, promise.flatMap(_ -> executor.succeeded(raise())).cause());
    assertSame(thrown, executor.failed(failure).recover(_ -> raise()).cause());
  }

  @Test
  void flatMapToNoFutureFailsTheResult() {
    Future<Integer> none = executor.succeeded("yes").flatMap(_ -> noFuture());
    assertInstanceOf(NullPointerException.class, none.cause());
  }

  @SuppressWarnings("NullAway") // what a caller without its checks may do
  private static Future<Integer> noFuture() {
    return null;
  }

  private Object raise() {
    throw thrown;
  }

  @Test
  void flatMapEndsWithTheInnerFuture() {
    Promise<Integer> inner = executor.newPromise();
    Future<Integer> outer = promise.flatMap(_ -> inner);
    promise.success("yes");
    assertFalse(outer.isDone());
    inner.success(7);
    assertEquals(7, outer.value());
    assertSame(failure, promise.flatMap(_ -> executor.failed(failure)).cause());
    assertSame(failure, executor.failed(failure).flatMap(_ -> executor.succeeded("no")).cause());
  }

  @Test
  void recoverTurnsTheFailureAndPassesAValue() {
    Future<String> recovered = promise.recover(Throwable::getMessage);
    promise.failure(failure);
    assertEquals("on purpose", recovered.value());
    assertEquals("yes", executor.succeeded("yes").recover(Throwable::getMessage).value());
  }

  @Test
  void cancellingADerivedFutureSparesItsSourceAndTheFunction() {
    List<String> called = new ArrayList<>();
    List<Future<?>> derived =
        List.of(
            promise.map(called::add),
            promise.flatMap(value -> executor.succeeded(called.add(value))));
    derived.forEach(future -> assertTrue(future.cancel()));
    assertFalse(promise.isDone());
    promise.success("yes");
    assertEquals(List.of(), called);
    derived.forEach(future -> assertTrue(future.isCancelled()));
  }

  @Test
  void functionThatRunsCanNoLongerBeCancelled() {
    List<Future<String>> self = new ArrayList<>();
    self.add(promise.map(value -> value + self.getFirst().cancel()));
    promise.success("cancelled: ");
    assertEquals("cancelled: false", self.getFirst().value());
  }

  @Test
  void cancelledSourceCancelsWhatComesFromIt() {
    Future<Integer> length = promise.map(String::length);
    promise.cancel();
    assertTrue(length.isCancelled());
  }

  @Test
  void longChainNeedsNoStack() {
    Future<Integer> last = promise.map(_ -> 0);
    for (int i = 0; i < 100_000; i++) {
      last = i % 2 == 0 ? last.map(n -> n + 1) : last.flatMap(n -> executor.succeeded(n + 1));
    }
    promise.success("go");
    assertEquals(100_000, last.value());
  }

  @Test
  void allHasTheValuesInTheOrderOfTheFutures() {
    Promise<String> other = executor.newPromise();
    Future<List<String>> all = executor.all(List.of(promise, other, executor.succeeded("c")));
    other.success("b");
    assertFalse(all.isDone());
    promise.success("a");
    assertEquals(List.of("a", "b", "c"), all.value());
  }

  @Test
  void allOfVoidFuturesHasNulls() {
    Promise<Void> first = executor.newPromise();
    Future<List<Void>> all = executor.all(List.of(first, first));
    first.success(null);
    assertEquals(Arrays.asList(null, null), all.value());
  }

  @Test
  void allFailsWithTheFirstFailureAndTheOthersGoOn() {
    Promise<String> other = executor.newPromise();
    Future<List<String>> all = executor.all(List.of(promise, other));
    other.failure(failure);
    assertSame(failure, all.cause());
    assertTrue(promise.trySuccess("still"));
  }

  @Test
  void anyHasTheFirstValue() {
    Promise<String> other = executor.newPromise();
    Future<String> any = executor.any(List.of(promise, other));
    promise.failure(failure);
    assertFalse(any.isDone());
    other.success("yes");
    assertEquals("yes", any.value());
  }

  @Test
  void anyOfFailuresHasThemAll() {
    IOException second = new IOException("second");
    Future<String> any = executor.any(List.of(promise, executor.<String>failed(second)));
    promise.failure(failure);
    CompletionException none = assertInstanceOf(CompletionException.class, any.cause());
    assertSame(second, none.getCause()); // the first to fail
    assertArrayEquals(new Throwable[] {failure}, none.getSuppressed());
  }

  @Test
  void ofNoneAllIsEmptyAndAnyFails() {
    assertEquals(List.of(), executor.all(List.of()).value());
    assertInstanceOf(NoSuchElementException.class, executor.any(List.of()).cause());
  }

  @Test
  void adoptedStageEndsTheFuture() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Future<String> adopted = executor.adopt(stage);
    stage.complete("yes");
    assertEquals("yes", adopted.value());
    assertNull(adopted.cause());
  }

  @Test
  void adoptedStageFailsWithItsOwnFailureNotWithAWrapper() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Future<Integer> adopted = executor.adopt(stage.thenApply(String::length));
    stage.completeExceptionally(failure);
    assertSame(failure, adopted.cause());
  }

  @Test
  void cancellingAnAdoptedFutureSparesTheStage() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    assertTrue(executor.adopt(stage).cancel());
    assertFalse(stage.isDone());
  }

  @Test
  void cancellingTheStageOfAFutureSparesTheFuture() {
    assertTrue(promise.toCompletionStage().toCompletableFuture().cancel(true));
    assertFalse(promise.isDone());
  }
}
