package dev.quickwater.common;

import java.util.Objects;
import java.util.concurrent.Callable;

/// A task that completes a promise with its result. The task claims the promise before it runs; if
/// the promise was cancelled before, the task does not run.
record Call<T>(Promise<T> promise, Callable<? extends T> task) implements Task {

  Call {
    Objects.requireNonNull(task, "task");
  }

  @Override
  public void run() {
    if (!promise.claim()) {
      return;
    }
    T value;
    try {
      value = task.call();
    } catch (Throwable t) {
      promise.tryFailure(t);
      return;
    }
    promise.trySuccess(value);
  }

  @Override
  public void abandoned(Throwable cause) {
    promise.tryFailure(cause);
  }
}
