package dev.quickwater.common;

/// Executors that the test's own thread steps from the start.
final class Stepped {

  private Stepped() {}

  static SteppedExecutor on(Clock clock) {
    return on(clock, () -> {});
  }

  static SteppedExecutor on(Clock clock, Runnable waker) {
    SteppedExecutor executor = new SteppedExecutor("test", clock, waker);
    executor.bind();
    return executor;
  }
}
