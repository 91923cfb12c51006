package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineHeapTest {

  private final DeadlineHeap heap = new DeadlineHeap();
  private final RunQueue queue = new RunQueue(new VirtualClock(), () -> {});

  /// The first of each step is compared with a sorted set that sees the same operations. Small
  /// ranges of deadlines make many of them equal; the last one straddles the overflow of the clock.
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 10, 1_000_000, Long.MAX_VALUE})
  void behavesAsASortedSetUnderRandomOperations(long range) {
    TreeSet<Timer> model =
        new TreeSet<>(
            Comparator.comparing((Timer t) -> t, (a, b) -> a.before(b) ? -1 : a == b ? 0 : 1));
    List<Timer> inside = new ArrayList<>();
    Random random = new Random(range + 7);
    long sequence = 0;
    for (int step = 0; step < 50_000; step++) {
      // grow for a while, then shrink
      boolean add = random.nextInt(100) < ((step / 5_000) % 2 == 0 ? 70 : 35);
      if (add || inside.isEmpty()) {
        long deadline =
            range == Long.MAX_VALUE
                ? Long.MAX_VALUE + random.nextInt(-100, 100)
                : random.nextLong(range + 1);
        Timer timer = new Timer(queue, () -> {}, deadline, 0);
        timer.sequence = sequence++;
        heap.add(timer);
        model.add(timer);
        inside.add(timer);
      } else if (random.nextBoolean()) {
        Timer first = heap.first();
        heap.remove(first);
        model.remove(first);
        inside.remove(first);
      } else {
        Timer any = inside.remove(random.nextInt(inside.size()));
        heap.remove(any);
        model.remove(any);
        assertEquals(Timer.OUT, any.heapIndex);
      }
      assertEquals(model.size(), heap.size());
      assertSame(model.isEmpty() ? null : model.first(), heap.first());
    }
    while (!model.isEmpty()) {
      assertSame(model.pollFirst(), heap.first());
      heap.remove(heap.first());
    }
    assertNull(heap.first());
  }
}
