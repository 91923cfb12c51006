package dev.quickwater.common;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A fixed number of executors with one thread each, for work that is distributed and keeps its
/// order within each part.
public final class ExecutorGroup implements AutoCloseable {

  private static final int MAX_EXECUTORS = 1024;

  private final List<ThreadExecutor> executors;
  private final Future<Void> ended;
  private final AtomicInteger turn = new AtomicInteger();

  /// Starts `count` threads, 1 to 1024, named `name-1` and so on.
  public ExecutorGroup(String name, int count) {
    if (count < 1 || count > MAX_EXECUTORS) {
      throw new IllegalArgumentException(
          "count is " + count + ", expected 1 to " + MAX_EXECUTORS + " executors");
    }
    List<ThreadExecutor> started = new ArrayList<>();
    try {
      for (int i = 1; i <= count; i++) {
        started.add(new ThreadExecutor(name + "-" + i));
      }
    } catch (Throwable t) { // the system may refuse a thread
      started.forEach(ThreadExecutor::shutdown);
      throw t;
    }
    executors = List.copyOf(started);
    ThreadExecutor first = executors.getFirst();
    Promise<Void> end = first.newPromise();
    end.claim();
    first
        .all(executors.stream().map(ThreadExecutor::ended).toList())
        .onComplete(_ -> end.trySuccess(null));
    ended = end;
  }

  /// The next executor, round robin. Any thread.
  public ThreadExecutor next() {
    return executors.get(Math.floorMod(turn.getAndIncrement(), executors.size()));
  }

  /// All executors.
  public List<ThreadExecutor> executors() {
    return executors;
  }

  /// Requests the end of all executors within `limit`.
  ///
  /// @return a future that succeeds when the last has ended
  public Future<Void> shutdown(Duration limit) {
    executors.forEach(executor -> executor.shutdown(limit));
    return ended;
  }

  /// Succeeds when the last executor has ended.
  public Future<Void> ended() {
    return ended;
  }

  /// Ends all executors and waits for them together, as [ThreadExecutor#close] does for one.
  @Override
  public void close() {
    executors.forEach(ThreadExecutor::shutdown);
    long deadline = ThreadExecutor.closeDeadline();
    executors.forEach(executor -> executor.join(deadline));
  }
}
