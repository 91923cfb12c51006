package dev.quickwater.common;

import java.util.Objects;
import java.util.concurrent.Callable;

/// A task with a result. The claim decides between its run and its cancellation.
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
