package dev.quickwater.buffer;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Blocks freed by other threads come back, each once, while the owner collects.
public class HeapStress {

  private HeapStress() {}

  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both came back")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class FreeAndCollect {

    private final Heap heap = new Heap(false);
    private final Block one = new Block(heap, 0, new byte[0], 0);
    private final Block other = new Block(heap, 0, new byte[0], 0);

    @Actor
    public void free() {
      heap.free(one);
      heap.free(other);
    }

    @Actor
    public void collect() {
      heap.collectRemote();
    }

    @Arbiter
    public void after(I_Result result) {
      heap.collectRemote();
      result.r1 = heap.freeBlocks(0);
    }
  }

  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both came back")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class FreeAndFree {

    private final Heap heap = new Heap(false);
    private final Block one = new Block(heap, 0, new byte[0], 0);
    private final Block other = new Block(heap, 0, new byte[0], 0);

    @Actor
    public void free() {
      heap.free(one);
    }

    @Actor
    public void freeToo() {
      heap.free(other);
    }

    @Arbiter
    public void after(I_Result result) {
      heap.collectRemote();
      result.r1 = heap.freeBlocks(0);
    }
  }
}
