package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Each block that another thread frees returns to its heap exactly once, while threads change as
/// drivers of the heap.
///
/// The result is the bytes in use and the bytes reserved at the end. A lost block leaves bytes in
/// use. A block that returns twice makes the bytes in use negative.
public class HeapStress {

  private HeapStress() {}

  /// Not an actor, because each of the actors may have created the state.
  private static final Thread LOOP = new Thread("loop");

  /// A heap that a loop has attached, with two blocks outside. The actors are other threads.
  abstract static class TwoBlocks {

    final Heap heap = new Heap(false);
    final ByteBuf one;
    final ByteBuf other;

    TwoBlocks() {
      heap.attach(LOOP, null);
      one = Blocks.allocate(heap, 1, 1, 1);
      other = Blocks.allocate(heap, 1, 1, 1);
    }

    /// Returns all memory, because there are millions of states.
    void count(JJ_Result result) {
      result.r1 = heap.used();
      result.r2 = heap.reserved();
      heap.trim();
    }
  }

  @JCStressTest
  @Outcome(id = "0, 16384", expect = Expect.ACCEPTABLE, desc = "both returned")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class FreeAndCollect extends TwoBlocks {
    @Actor
    public void free() {
      one.release();
      other.release();
    }

    @Actor
    public void collect() {
      heap.collect();
    }

    @Arbiter
    public void after(JJ_Result result) {
      heap.collect();
      count(result);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 16384", expect = Expect.ACCEPTABLE, desc = "both returned")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class FreeAndFree extends TwoBlocks {
    @Actor
    public void free() {
      one.release();
    }

    @Actor
    public void freeToo() {
      other.release();
    }

    @Arbiter
    public void after(JJ_Result result) {
      heap.collect();
      count(result);
    }
  }

  /// No loop collects after the heap was detached; the page still returns with its last block.
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "all returned")
  @Outcome(expect = Expect.FORBIDDEN, desc = "memory is lost")
  @State
  public static class FreeAndAbandon extends TwoBlocks {
    @Actor
    public void free() {
      one.release();
      other.release();
    }

    @Actor
    public void abandon() {
      heap.detach();
    }

    @Arbiter
    public void after(JJ_Result result) {
      count(result);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "all returned")
  @Outcome(expect = Expect.FORBIDDEN, desc = "memory is lost")
  @State
  public static class FreeAndFreeOfAnAbandonedHeap extends TwoBlocks {
    public FreeAndFreeOfAnAbandonedHeap() {
      heap.detach();
    }

    @Actor
    public void free() {
      one.release();
    }

    @Actor
    public void freeToo() {
      other.release();
    }

    @Arbiter
    public void after(JJ_Result result) {
      count(result);
    }
  }

  /// The next loop adopts the heap while blocks return to it.
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "returned before")
  @Outcome(id = "0, 16384", expect = Expect.ACCEPTABLE, desc = "returned after")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class FreeAndAttach extends TwoBlocks {
    public FreeAndAttach() {
      heap.detach();
    }

    @Actor
    public void free() {
      one.release();
      other.release();
    }

    @Actor
    public void attach() {
      heap.attach(LOOP, null);
    }

    @Arbiter
    public void after(JJ_Result result) {
      heap.collect();
      count(result);
    }
  }

  /// Another thread requests memory while a thread attaches the heap. The request is answered, or
  /// the thread is woken for it.
  @JCStressTest
  @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "answered or not requested")
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "answered and woken")
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "woken")
  @Outcome(expect = Expect.FORBIDDEN, desc = "requested, and the thread is not woken")
  @State
  public static class RequestAndAttach {
    private final Heap heap = new Heap(false);
    private boolean woken;

    @Actor
    public void attach() {
      heap.attach(LOOP, () -> woken = true);
    }

    @Actor
    public void request() {
      heap.requestTrim();
    }

    @Arbiter
    public void after(ZZ_Result result) {
      result.r1 = heap.isTrimRequested();
      result.r2 = woken;
    }
  }
}
