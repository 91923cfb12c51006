package dev.quickwater.common;

import java.time.Duration;

/// Runs what is dispatched at once, on whichever thread: what is tested is the promise alone.
final class Inline implements EventExecutor {

  @Override
  public boolean inLoop() {
    return false;
  }

  @Override
  public Clock clock() {
    return Clock.system();
  }

  @Override
  public void dispatch(Runnable task) {
    task.run();
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public ExecutorState state() {
    return ExecutorState.RUNNING;
  }

  @Override
  public Timer schedule(Runnable task, Duration delay) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Timer scheduleWithFixedDelay(Runnable task, Duration initialDelay, Duration delay) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Void> shutdown(Duration limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Void> ended() {
    throw new UnsupportedOperationException();
  }
}
