package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Timers under virtual time beside a sorted map that sees the same operations.
class TimersModelTest {

  private static final int OPERATIONS = 1_000_000;

  private record Key(long deadline, int arrival) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = Long.compare(deadline, other.deadline);
      return order == 0 ? Integer.compare(arrival, other.arrival) : order;
    }
  }

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);
  private final TreeMap<Key, Timer> model = new TreeMap<>();
  private final List<Key> keys = new ArrayList<>();
  private final List<Key> ran = new ArrayList<>();
  private int arrivals;

  @Test
  void timersRunInTheOrderOfTheModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String context = "seed " + seed;
    for (int i = 0; i < OPERATIONS; i++) {
      int kind = random.nextInt(100);
      if (kind < 50) {
        schedule(random.nextInt(5_000));
      } else if (kind < 85) {
        cancel(random, context);
      } else {
        advance(random.nextInt(random.nextInt(20) == 0 ? 2_000 : 50), context);
      }
    }
    advance(5_000, context);
    assertEquals(0, executor.queue.timers(), context);
  }

  private void schedule(int delay) {
    Key key = new Key(clock.nanoTime() + delay, arrivals++);
    model.put(key, executor.schedule(() -> ran.add(key), Duration.ofNanos(delay)));
    keys.add(key);
  }

  private void cancel(Random random, String context) {
    if (keys.isEmpty()) {
      return;
    }
    int place = random.nextInt(keys.size());
    Key key = keys.get(place);
    keys.set(place, keys.getLast());
    keys.removeLast();
    Timer timer = model.remove(key);
    if (timer != null) { // else it has run
      assertTrue(timer.cancel(), context);
      assertFalse(timer.isPending(), context);
    }
    assertEquals(model.size(), executor.queue.timers(), context);
  }

  private void advance(int nanos, String context) {
    clock.advance(Duration.ofNanos(nanos));
    executor.step();
    List<Key> expected =
        List.copyOf(model.headMap(new Key(clock.nanoTime(), Integer.MAX_VALUE), true).keySet());
    assertEquals(expected, ran, context);
    expected.forEach(model::remove);
    ran.clear();
  }
}
