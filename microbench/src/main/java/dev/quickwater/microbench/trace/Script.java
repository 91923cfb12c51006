package dev.quickwater.microbench.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/// Writes a trace: lives of blocks in any order, which come out in the order of time.
final class Script {

  private record Life(int block, int thread, int size, long from, int freer, long to) {}

  private static final long SEED = 20_25;

  final SplittableRandom random = new SplittableRandom(SEED);
  private final List<Life> lives = new ArrayList<>();

  /// A block that its thread releases.
  void life(int thread, int size, long from, long to) {
    life(thread, size, from, thread, to);
  }

  /// A block that `freer` releases.
  void life(int thread, int size, long from, int freer, long to) {
    lives.add(new Life(lives.size(), thread, size, from, freer, to));
  }

  /// Evenly over the logarithm, so that small sizes are frequent.
  int size(int least, int most) {
    return (int) (least * Math.exp(Math.log((double) most / least) * random.nextDouble()));
  }

  Trace trace(String name) {
    List<Event> events = new ArrayList<>();
    for (Life life : lives) {
      events.add(new Event(life.from, life.thread, life.block, life.size));
      events.add(new Event(life.to, life.freer, life.block, Event.FREE));
    }
    // The sort is stable: of events at one time, a block's own come in their order.
    events.sort(Comparator.comparingLong(Event::micros));
    return Trace.of(name, events);
  }
}
