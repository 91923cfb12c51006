package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A point in time that separates handles tracked after it from earlier ones, in the whole process.
///
/// The result is exact and needs no garbage collection. It covers the handles that
/// [LeakTracker#LEVEL] tracks; only the level paranoid tracks all handles. Any thread may use a
/// checkpoint.
public final class LeakCheckpoint implements AutoCloseable {

  private final int epoch;
  private final ConcurrentLinkedQueue<LeakTracker.Leak> collected = new ConcurrentLinkedQueue<>();
  private final LeakTracker.Listening listening;

  /// The listener is registered before the epoch begins, so that no leak of the epoch is missed.
  /// [#unreleased] drops leaks of earlier handles.
  LeakCheckpoint() {
    this.listening = LeakTracker.listen(collected::add);
    this.epoch = LeakTracker.nextEpoch();
  }

  /// The handles tracked since this checkpoint that are not released, each once: handles that are
  /// still reachable, and handles that the garbage collector has found unreachable. A leak that
  /// another thread is reporting is included. A handle that is created or released during the call
  /// may or may not be included.
  public List<LeakTracker.Leak> unreleased() {
    List<LeakTracker.Leak> found = new ArrayList<>();
    // The order matters: a leak leaves the live leaks only after the listener of this checkpoint
    // ran.
    for (LeakTracker.Leak leak : LeakTracker.live()) {
      if (leak.isSince(epoch)) {
        found.add(leak);
      }
    }
    for (LeakTracker.Leak leak : collected) {
      if (leak.isSince(epoch) && !found.contains(leak)) {
        found.add(leak);
      }
    }
    return found;
  }

  /// Stops listening for leaks that the garbage collector finds.
  @Override
  public void close() {
    listening.close();
  }
}
