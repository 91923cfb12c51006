package dev.quickwater.common;

import dev.quickwater.testkit.Threads;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A loop thread that does what it is given.
final class LoopRunner implements AutoCloseable {

  private final LinkedBlockingQueue<FutureTask<Void>> tasks = new LinkedBlockingQueue<>();
  private final LoopThread thread = new LoopThread("test-loop", this::loop);
  private volatile boolean closed;

  LoopRunner() {
    thread.setDaemon(true);
    thread.start();
  }

  private void loop() {
    while (!closed) {
      try {
        tasks.take().run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  LoopThread thread() {
    return thread;
  }

  /// Runs it on the loop and waits for it.
  void run(Threads.Action action) throws Exception {
    Threads.join(start(action));
  }

  FutureTask<Void> start(Threads.Action action) {
    FutureTask<Void> task = Threads.task(action);
    tasks.add(task);
    return task;
  }

  /// Waits until the thread has ended.
  @Override
  public void close() throws Exception {
    start(() -> closed = true);
    thread.join(TimeUnit.SECONDS.toMillis(60));
    if (thread.isAlive()) {
      throw new AssertionError("the loop did not end");
    }
  }
}
