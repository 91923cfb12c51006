package dev.quickwater.common;

import java.time.Duration;

/// An executor that runs only when the test's own thread says so.
final class SteppedExecutor implements EventExecutor {

  final VirtualClock clock = new VirtualClock();
  final CountingWaker waker = new CountingWaker();
  final RunQueue queue = new RunQueue(clock, waker);

  SteppedExecutor() {
    queue.bind();
  }

  int step() {
    return queue.runReady(Integer.MAX_VALUE);
  }

  int step(Duration advance) {
    clock.advance(advance);
    return step();
  }

  @Override
  public boolean inLoop() {
    return queue.inLoop();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public Timer schedule(Runnable task, Duration delay) {
    return queue.schedule(task, delay, Duration.ZERO);
  }

  @Override
  public Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    return queue.schedule(task, initialDelay, period);
  }

  @Override
  public void dispatch(Runnable task) {
    queue.dispatch(task);
  }

  @Override
  public void execute(Runnable task) {
    queue.execute(task);
  }
}
