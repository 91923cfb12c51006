package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A wheel under virtual time beside a sorted map from ticks to what is due then.
class WheelModelTest {

  private static final int OPERATIONS = 1_000_000;
  private static final long TICK = 1_000_000;

  private record Entry(long tick, int number, Timer timer) {}

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = Stepped.on(clock);
  private final HashedWheelTimer wheel =
      new HashedWheelTimer(
          executor, WheelSettings.DEFAULT.withTick(Duration.ofNanos(TICK)).withSlots(64));
  private final TreeMap<Long, Set<Integer>> model = new TreeMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Set<Integer> ran = new HashSet<>();
  private int pending;
  private int number;

  @Test
  void timersRunAtTheTicksOfTheModel() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String context = "seed " + seed;
    for (int i = 0; i < OPERATIONS; i++) {
      int kind = random.nextInt(100);
      if (kind < 50) {
        // up to a tenth of a revolution, to one, to many
        schedule(random.nextLong(TICK * List.of(6, 64, 6_000).get(random.nextInt(3))));
      } else if (kind < 80) {
        cancel(random, context);
      } else {
        advance(random.nextLong(random.nextInt(200) == 0 ? 200 * TICK : TICK / 2), context);
      }
      assertEquals(pending, wheel.pending(), context);
    }
    advance(6_000 * TICK, context);
    assertEquals(0, wheel.pending(), context);
    assertEquals(Map.of(), model, context);
  }

  private void schedule(long delay) {
    long now = clock.nanoTime();
    long tick = Math.max((now + delay + TICK - 1) / TICK, now / TICK + 1);
    int id = number++;
    Timer timer =
        wheel.schedule(() -> assertTrue(ran.add(id), "ran twice"), Duration.ofNanos(delay));
    entries.add(new Entry(tick, id, timer));
    model.computeIfAbsent(tick, _ -> new HashSet<>()).add(id);
    pending++;
  }

  private void cancel(Random random, String context) {
    if (entries.isEmpty()) {
      return;
    }
    int place = random.nextInt(entries.size());
    Entry entry = entries.get(place);
    entries.set(place, entries.getLast());
    entries.removeLast();
    Set<Integer> same = model.get(entry.tick);
    boolean waits = same != null && same.remove(entry.number);
    assertEquals(waits, entry.timer.cancel(), context);
    assertFalse(entry.timer.isPending(), context);
    if (waits) {
      pending--;
      if (same.isEmpty()) {
        model.remove(entry.tick);
      }
    }
  }

  private void advance(long nanos, String context) {
    clock.advance(Duration.ofNanos(nanos));
    executor.step();
    Map<Long, Set<Integer>> due = model.headMap(clock.nanoTime() / TICK, true);
    Set<Integer> expected = new HashSet<>();
    due.values().forEach(expected::addAll);
    assertEquals(expected, ran, context);
    pending -= ran.size();
    due.clear();
    ran.clear();
  }
}
