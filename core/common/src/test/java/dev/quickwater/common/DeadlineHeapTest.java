package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineHeapTest {

  private final DeadlineHeap heap = new DeadlineHeap();
  private final RunQueue queue = new RunQueue("test", new VirtualClock(), () -> {});

  private record Entry(HeapTimer timer, long deadline, long arrival) {

    /// As the clock's differences say, which may overflow.
    static int compare(Entry a, Entry b) {
      int order = Long.signum(a.deadline - b.deadline);
      return order == 0 ? Long.compare(a.arrival, b.arrival) : order;
    }
  }

  /// The first of each step is compared with a sorted set that sees the same operations. Small
  /// ranges of deadlines make many of them equal; the last one straddles the overflow of the clock.
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 10, 1_000_000, Long.MAX_VALUE})
  void behavesAsASortedSetUnderRandomOperations(long range) {
    TreeSet<Entry> model = new TreeSet<>(Entry::compare);
    List<Entry> inside = new ArrayList<>();
    Random random = new Random(range + 7);
    long arrivals = 0;
    for (int step = 0; step < 200_000; step++) {
      // grow for a while, then shrink
      boolean add = random.nextInt(100) < ((step / 20_000) % 2 == 0 ? 70 : 35);
      if (add || inside.isEmpty()) {
        long deadline =
            range == Long.MAX_VALUE
                ? Long.MAX_VALUE + random.nextInt(-100, 100)
                : random.nextLong(range + 1);
        Entry entry = new Entry(new HeapTimer(queue, () -> {}), deadline, arrivals++);
        heap.add(entry.timer, deadline);
        model.add(entry);
        inside.add(entry);
      } else {
        int place = random.nextInt(inside.size());
        Entry out = random.nextBoolean() ? model.first() : inside.get(place);
        // the last takes its place: a list's own removal would be the slowest part of this test
        inside.set(inside.indexOf(out), inside.getLast());
        inside.removeLast();
        heap.remove(out.timer);
        model.remove(out);
        assertEquals(HeapTimer.OUT, out.timer.heapIndex);
      }
      assertFirst(model);
    }
    while (!model.isEmpty()) {
      assertFirst(model);
      heap.remove(model.pollFirst().timer);
    }
    assertNull(heap.first());
  }

  private void assertFirst(TreeSet<Entry> model) {
    assertEquals(model.size(), heap.size());
    if (model.isEmpty()) {
      assertNull(heap.first());
    } else {
      assertSame(model.first().timer, heap.first());
      assertEquals(model.first().deadline, heap.firstDeadline());
    }
  }
}
