package dev.quickwater.common.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class MpscQueueTest {

  private final MpscQueue<Integer> queue = new MpscQueue<>();

  @Test
  void elementsLeaveInTheOrderInWhichTheyCame() {
    for (int i = 0; i < 10; i++) {
      queue.offer(i);
    }
    for (int i = 0; i < 10; i++) {
      assertEquals(i, queue.poll());
    }
    assertNull(queue.poll());
  }

  @Test
  void backlogsOfEveryLengthUpToSeveralArraysKeepTheirOrder() {
    int next = 0;
    for (int backlog = 0; backlog < 5000; backlog += 37) {
      for (int i = 0; i < backlog; i++) {
        queue.offer(next + i);
        assertFalse(queue.isEmpty());
      }
      for (int i = 0; i < backlog; i++) {
        assertEquals(next++, queue.poll());
      }
      assertTrue(queue.isEmpty());
      assertNull(queue.poll());
    }
  }

  @Test
  void littleOfWhatWasTakenIsKeptAndNothingOnceItIsEmpty() {
    MpscQueue<Object> objects = new MpscQueue<>();
    List<WeakReference<Object>> taken = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      Object element = new Object();
      taken.add(new WeakReference<>(element));
      objects.offer(element);
      element = null;
      objects.poll();
    }
    assertTrue(collect(taken, 32) <= 32);
    assertTrue(objects.isEmpty());
    assertEquals(0, collect(taken, 0));
    assertNull(objects.poll());
  }

  /// How many are left when the collector has done what it can.
  private static long collect(List<WeakReference<Object>> references, int most) {
    long left = references.size();
    for (int i = 0; i < 100 && left > most; i++) {
      System.gc();
      left = references.stream().filter(w -> w.get() != null).count();
    }
    return left;
  }

  @Test
  void whatIsThereCanBeTakenWithoutWaiting() {
    assertNull(queue.pollReady());
    for (int i = 0; i < 100; i++) {
      queue.offer(i);
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(i, (i & 1) == 0 ? queue.pollReady() : queue.poll());
    }
    assertNull(queue.pollReady());
    assertTrue(queue.isEmpty());
  }

  @Test
  void emptyAgainAfterTheLastElementIsTaken() {
    assertTrue(queue.isEmpty());
    queue.offer(1);
    assertFalse(queue.isEmpty());
    queue.poll();
    assertTrue(queue.isEmpty());
    assertNull(queue.poll());
    queue.offer(2);
    assertEquals(2, queue.poll());
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without its checks may do
  void nullIsRefusedAndTakesNoPlace() {
    assertThrows(NullPointerException.class, () -> queue.offer(null));
    assertTrue(queue.isEmpty());
    assertNull(queue.poll());
  }

  @Test
  void elementsOfEachProducerArriveOnceAndInOrder() throws Exception {
    int producers = 4;
    int each = 100_000;
    FutureTask<Void> offering =
        Threads.start(() ->
            Threads.together(
                producers,
                producer -> {
                  for (int i = 0; i < each; i++) {
                    queue.offer(producer * each + i);
                  }
                }));
    int[] next = new int[producers];
    for (int taken = 0; taken < producers * each; ) {
      Integer element = (taken & 1) == 0 ? queue.poll() : queue.pollReady();
      if (element == null) {
        Thread.onSpinWait();
        continue;
      }
      int producer = element / each;
      assertEquals(next[producer]++, element % each);
      taken++;
    }
    Threads.join(offering);
    assertTrue(queue.isEmpty());
  }
}
