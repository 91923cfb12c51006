package dev.quickwater.microbench.trace;

import java.util.BitSet;
import java.util.List;

/// The requests of a program to its allocator, in order. Every block is allocated before it is
/// freed, and freed at most once; what is never freed is live to the end.
///
/// @param threads how many threads take part, at least 1
/// @param blocks how many blocks there are
/// @param events in the order of their times
record Trace(String name, int threads, int blocks, List<Event> events) {

  /// Checks the order and completes the counts.
  ///
  /// @throws IllegalArgumentException if an event cannot have happened; the message has its place
  static Trace of(String name, List<Event> events) {
    BitSet seen = new BitSet();
    BitSet live = new BitSet();
    long last = 0;
    int threads = 1;
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      String wrong = "";
      if (event.micros() < last) {
        wrong = "is earlier than the one before it";
      } else if (event.frees() && !live.get(event.block())) {
        wrong = "frees block " + event.block() + ", which is not live";
      } else if (!event.frees() && seen.get(event.block())) {
        wrong = "allocates block " + event.block() + " again";
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException("event " + (i + 1) + " of " + name + " " + wrong);
      }
      seen.set(event.block());
      live.set(event.block(), !event.frees());
      last = event.micros();
      threads = Math.max(threads, event.thread() + 1);
    }
    return new Trace(name, threads, seen.length(), List.copyOf(events));
  }
}
