package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A point in time that tells handles tracked after it from those before, in the whole process.
///
/// It answers exactly and without the collector, for the handles that [LeakTracker#LEVEL] tracks:
/// all of them at the level paranoid only. Any thread may use it.
public final class LeakCheckpoint implements AutoCloseable {

  private final int epoch;
  private final ConcurrentLinkedQueue<LeakTracker.Leak> collected = new ConcurrentLinkedQueue<>();
  private final LeakTracker.Listening listening;

  LeakCheckpoint(int epoch) {
    this.epoch = epoch;
    this.listening =
        LeakTracker.listen((leak, _) -> {
          if (leak.isSince(epoch)) {
            collected.add(leak);
          }
        });
  }

  /// The handles tracked since this checkpoint that are not released: those that somebody still
  /// holds, and those that the collector has found without a holder.
  public List<LeakTracker.Leak> unreleased() {
    List<LeakTracker.Leak> found = new ArrayList<>();
    for (LeakTracker.Leak leak : LeakTracker.live()) {
      if (leak.isSince(epoch)) {
        found.add(leak);
      }
    }
    for (LeakTracker.Leak leak : collected) {
      if (!found.contains(leak)) {
        found.add(leak);
      }
    }
    return found;
  }

  /// Ends the watch for what the collector finds.
  @Override
  public void close() {
    listening.close();
  }
}
