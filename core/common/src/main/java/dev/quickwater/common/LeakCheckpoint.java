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

  /// Listens first, so that nothing of its epoch is found before; the rest is sorted out later.
  LeakCheckpoint() {
    this.listening = LeakTracker.listen((leak, _) -> collected.add(leak));
    this.epoch = LeakTracker.nextEpoch();
  }

  /// The handles tracked since this checkpoint that are not released: those that somebody still
  /// holds, and those that the collector has found without a holder, each once. One that another
  /// thread is reporting at the moment is among them; one that is created or released meanwhile may
  /// be.
  public List<LeakTracker.Leak> unreleased() {
    List<LeakTracker.Leak> found = new ArrayList<>();
    // In this order: a leak goes from the living only when this checkpoint has been told of it.
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

  /// Ends the watch for what the collector finds.
  @Override
  public void close() {
    listening.close();
  }
}
