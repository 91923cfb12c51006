package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class PromiseTest {

  private final SteppedExecutor executor = Stepped.on(new VirtualClock());
  private final Promise<String> promise = executor.newPromise();
  private final IOException failure = new IOException("on purpose");

  @Test
  void pendingPromiseHasNoOutcome() {
    assertFalse(promise.isDone());
    assertFalse(promise.isSuccess());
    assertNull(promise.cause());
    assertThrows(IllegalStateException.class, promise::value);
    assertEquals("Future[pending]", promise.toString());
    promise.onComplete(_ -> {});
    assertEquals("Future[pending]", promise.toString());
  }

  @Test
  void succeededPromiseHasItsValue() {
    promise.success("yes");
    assertTrue(promise.isDone());
    assertTrue(promise.isSuccess());
    assertEquals("yes", promise.value());
    assertNull(promise.cause());
    assertEquals("Future[succeeded]", promise.toString());
  }

  @Test
  void failedPromiseHasItsCause() {
    promise.failure(failure);
    assertTrue(promise.isDone());
    assertFalse(promise.isSuccess());
    assertSame(failure, promise.cause());
    IllegalStateException e = assertThrows(IllegalStateException.class, promise::value);
    assertSame(failure, e.getCause());
    assertEquals("Future[failed: java.io.IOException: on purpose]", promise.toString());
  }

  @Test
  void voidPromiseSucceedsWithNull() {
    Promise<Void> done = executor.newPromise();
    done.success(null);
    assertTrue(done.isSuccess());
    assertNull(done.value());
  }

  @Test
  void secondCompletionChangesNothing() {
    assertTrue(promise.trySuccess("first"));
    assertFalse(promise.trySuccess("second"));
    assertFalse(promise.tryFailure(failure));
    assertThrows(IllegalStateException.class, () -> promise.success("third"));
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> promise.failure(failure));
    assertSame(failure, e.getCause());
    assertEquals("first", promise.value());
  }

  @Test
  void failureNeedsACause() {
    assertThrows(NullPointerException.class, () -> promise.tryFailure(null));
    assertFalse(promise.isDone());
  }

  @Test
  void executorMakesFuturesThatAreDone() {
    assertEquals("yes", executor.succeeded("yes").value());
    assertSame(failure, executor.failed(failure).cause());
  }

  @Test
  void stageFollowsTheFuture() {
    CompletionStage<String> stage = promise.toCompletionStage();
    assertFalse(stage.toCompletableFuture().isDone());
    promise.success("yes");
    assertEquals("yes", stage.toCompletableFuture().join());
  }

  @Test
  void stageFailsWithTheFuture() {
    promise.failure(failure);
    CompletionException e =
        assertThrows(
            CompletionException.class,
            () -> promise.toCompletionStage().toCompletableFuture().join());
    assertSame(failure, e.getCause());
  }

  @Test
  void stageEndsEvenAfterTheExecutorHas() throws Exception {
    CompletionStage<String> stage = promise.toCompletionStage();
    executor.close();
    Threads.elsewhere(() -> promise.success("late"));
    assertEquals("late", stage.toCompletableFuture().join());
  }
}
