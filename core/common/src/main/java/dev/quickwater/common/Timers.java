package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The timers of one executor. Its thread only.
final class Timers {

  private final Clock clock;
  private final DeadlineHeap heap = new DeadlineHeap();
  private final List<Again> again = new ArrayList<>();

  /// Why timers are no longer accepted.
  private @Nullable CancellationException closed;

  Timers(Clock clock) {
    this.clock = clock;
  }

  int size() {
    return heap.size();
  }

  /// The deadline of the first timer; there must be one.
  long firstDeadline() {
    return heap.firstDeadline();
  }

  void add(HeapTimer timer, long deadline) {
    if (closed != null) {
      timer.abandon(closed);
    } else if (timer.isPending()) {
      heap.add(timer, deadline);
    }
  }

  void remove(HeapTimer timer) {
    if (timer.heapIndex != HeapTimer.OUT) {
      heap.remove(timer);
    }
  }

  /// Runs timers that are due at `now`, without timers that are added meanwhile. Periodic timers
  /// are added again after all others have run: a timer that is far behind does not delay them.
  ///
  /// @return the number of timers that ran
  int runDue(long now) {
    int ran = 0;
    long arrivals = heap.arrivals();
    @Nullable HeapTimer timer;
    while ((timer = heap.first()) != null
        && heap.firstDeadline() - now <= 0
        && heap.firstArrival() < arrivals) {
      long deadline = heap.firstDeadline();
      heap.remove(timer);
      ran++;
      HeapTimer.@Nullable Periodic periodic = run(timer);
      if (periodic != null) {
        again.add(new Again(timer, periodic.next(deadline, clock)));
      }
    }
    if (!again.isEmpty()) {
      again.forEach(next -> add(next.timer, next.deadline));
      again.clear();
    }
    return ran;
  }

  private static HeapTimer.@Nullable Periodic run(HeapTimer timer) {
    try {
      return timer.run();
    } catch (Throwable t) {
      RunQueue.logFailure("a timer threw", t);
      return null;
    }
  }

  boolean areClosed() {
    return closed != null;
  }

  /// Ends all timers; later ones end at once.
  void close(CancellationException cause) {
    closed = cause;
    @Nullable HeapTimer timer;
    while ((timer = heap.first()) != null) {
      heap.remove(timer);
      timer.abandon(cause);
    }
  }

  private record Again(HeapTimer timer, long deadline) {}
}
