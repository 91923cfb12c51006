package dev.quickwater.common;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts leaks by the place that created the handle, so that the log shows each place instead of
/// each leak.
///
/// - A place is the description of the handle and the stack that created it. The key is a 64-bit
///   hash of both. A program has few places, so collisions do not occur in practice; a collision
///   would suppress one report.
/// - At most [#MAX_PLACES] places are kept; leaks of further places share one count. This bounds
///   both the memory and the log.
final class LeakPlaces {

  static final int MAX_PLACES = 1024;

  private final ConcurrentHashMap<Long, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final AtomicInteger others = new AtomicInteger();

  /// Counts a leak.
  ///
  /// @return the number of leaks of its place, including this one
  int count(String what, StackTraceElement[] created) {
    long place = hash(what, created);
    AtomicInteger count = counts.get(place);
    if (count == null) {
      count =
          counts.size() < MAX_PLACES
              ? counts.computeIfAbsent(place, _ -> new AtomicInteger())
              : others;
    }
    return count.incrementAndGet();
  }

  private static long hash(String what, StackTraceElement[] created) {
    long hash = what.hashCode();
    for (StackTraceElement frame : created) {
      hash = Long.rotateLeft((hash ^ frame.hashCode()) * 0x9E37_79B9_7F4A_7C15L, 29);
    }
    return hash;
  }

  /// True when the log shows the leak with this number at its place: 1, 2, 4, 8 and so on.
  static boolean isLogged(int number) {
    return (number & number - 1) == 0;
  }
}
