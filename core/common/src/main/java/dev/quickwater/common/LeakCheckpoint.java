package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A point in time that tells handles tracked after it from those before, in the whole process.
///
/// Its answer is exact and needs no garbage collection. It covers the handles that
/// [LeakTracker#LEVEL] tracks: all of them at the level paranoid only. Any thread may use it.
public final class LeakCheckpoint implements AutoCloseable {

  private final int epoch;
  private final ConcurrentLinkedQueue<LeakTracker.Leak> collected = new ConcurrentLinkedQueue<>();
  private final LeakTracker.Listening listening;

  /// Registers before the epoch begins, so that no leak of the epoch is missed; [#unreleased] drops
  /// earlier ones.
  LeakCheckpoint() {
    this.listening = LeakTracker.listen(collected::add);
    this.epoch = LeakTracker.nextEpoch();
  }

  /// The handles tracked since this checkpoint that are not released, each once: those that are
  /// still reachable and those that the garbage collector has found. A leak that another thread is
  /// reporting is included. A handle that is created or released during the call may be.
  public List<LeakTracker.Leak> unreleased() {
    List<LeakTracker.Leak> found = new ArrayList<>();
    // In this order: a leak leaves the live ones only after the listener of this checkpoint ran.
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
