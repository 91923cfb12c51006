package dev.quickwater.common.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// At the border of two arrays nothing is lost, doubled or out of a producer's order. Two actors
/// each, since machines with two processors skip tests with more.
public class MpscQueueStress {

  private MpscQueueStress() {}

  /// A queue whose next element but one needs a new array.
  private static MpscQueue<Integer> nearlyFull() {
    MpscQueue<Integer> queue = new MpscQueue<>();
    for (int i = 0; i < 31; i++) {
      queue.offer(i);
      take(queue);
    }
    return queue;
  }

  private static int take(MpscQueue<Integer> queue) {
    Integer element = queue.poll();
    return element == null ? 0 : element;
  }

  private static int takeReady(MpscQueue<Integer> queue) {
    Integer element = queue.pollReady();
    return element == null ? 0 : element;
  }

  @JCStressTest
  @Outcome(
      id = {"1, 2, 3, 4", "1, 3, 2, 4", "1, 3, 4, 2", "3, 1, 2, 4", "3, 1, 4, 2", "3, 4, 1, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "all taken, both orders kept")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
  @State
  public static class Producers {

    private final MpscQueue<Integer> queue = nearlyFull();

    @Actor
    public void producer() {
      queue.offer(1);
      queue.offer(2);
    }

    @Actor
    public void otherProducer() {
      queue.offer(3);
      queue.offer(4);
    }

    @Arbiter
    public void consumer(IIII_Result result) {
      result.r1 = take(queue);
      result.r2 = take(queue);
      result.r3 = take(queue);
      result.r4 = take(queue);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0, 1, 2", "0, 1, 2, 0", "1, 2, 0, 0", "1, 0, 2, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "each once and in order")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
  @State
  public static class ProducerAndConsumer {

    private final MpscQueue<Integer> queue = nearlyFull();

    @Actor
    public void producer() {
      queue.offer(1);
      queue.offer(2);
    }

    @Actor
    public void consumer(IIII_Result result) {
      result.r1 = take(queue);
      result.r2 = take(queue);
    }

    @Arbiter
    public void rest(IIII_Result result) {
      result.r3 = take(queue);
      result.r4 = take(queue);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0, 1, 2", "0, 1, 2, 0", "1, 2, 0, 0", "1, 0, 2, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "each once and in order")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
  @State
  public static class ProducerAndHastyConsumer {

    private final MpscQueue<Integer> queue = nearlyFull();

    @Actor
    public void producer() {
      queue.offer(1);
      queue.offer(2);
    }

    @Actor
    public void consumer(IIII_Result result) {
      result.r1 = takeReady(queue);
      result.r2 = queue.isEmpty() ? 0 : takeReady(queue);
    }

    @Arbiter
    public void rest(IIII_Result result) {
      result.r3 = take(queue);
      result.r4 = take(queue);
    }
  }
}
