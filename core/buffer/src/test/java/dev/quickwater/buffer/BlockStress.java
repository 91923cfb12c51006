package dev.quickwater.buffer;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// However handles come and go, a block is freed exactly once. The result is how often it was freed
/// and how many holders it has in the end.
public class BlockStress {

  private BlockStress() {}

  /// A block that a heap gave out, dead when it has no holders.
  abstract static class OneBlock {

    final Heap heap = new Heap(false);
    final Block block = heap.take(1);
    private final long usedBefore;

    OneBlock(int holders) {
      if (holders == 0) {
        block.release();
      }
      for (int i = 1; i < holders; i++) {
        block.share();
      }
      usedBefore = heap.used();
    }

    void shareAndRelease() {
      try {
        block.share();
        block.release();
      } catch (IllegalStateException _) {
        // it came too late
      }
    }

    void result(II_Result result) {
      result.r1 = (int) (usedBefore - heap.used()) / block.capacity();
      result.r2 = block.holders();
      if (usedBefore == 0) {
        block.page.free = 1; // lives that no heap has given out came back to it all the same
      } else if (block.holders() == 1) {
        block.release();
      }
      heap.trim(); // for there are millions of these
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "freed once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or freed twice")
  @State
  public static class ReleaseAndRelease extends OneBlock {

    public ReleaseAndRelease() {
      super(2);
    }

    @Actor
    public void release() {
      block.release();
    }

    @Actor
    public void releaseToo() {
      block.release();
    }

    @Arbiter
    public void after(II_Result result) {
      result(result);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "one holder is left")
  @Outcome(expect = Expect.FORBIDDEN, desc = "freed while held, or too many holders")
  @State
  public static class ShareAndRelease extends OneBlock {

    public ShareAndRelease() {
      super(2);
    }

    @Actor
    public void release() {
      block.release();
    }

    @Actor
    public void share() {
      block.share();
      block.release();
    }

    @Arbiter
    public void after(II_Result result) {
      result(result);
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "freed once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or freed twice")
  @State
  public static class StrayShareAndLastRelease extends OneBlock {

    public StrayShareAndLastRelease() {
      super(1);
    }

    @Actor
    public void release() {
      block.release();
    }

    @Actor
    public void stray() {
      shareAndRelease();
    }

    @Arbiter
    public void after(II_Result result) {
      result(result);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the next life goes on")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the next life was freed")
  @State
  public static class StrayShareAndNextLife extends OneBlock {

    public StrayShareAndNextLife() {
      super(0);
    }

    @Actor
    public void nextLife() {
      block.revive();
    }

    @Actor
    public void stray() {
      shareAndRelease();
    }

    @Arbiter
    public void after(II_Result result) {
      result(result);
    }
  }

  /// A release too many on dead memory whose next life begins and ends meanwhile: that life may be
  /// ended by it, but that life and the one after are each freed once.
  @JCStressTest
  @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "freed at the end of each life")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or freed twice")
  @State
  public static class StrayReleaseAndNextLife extends OneBlock {

    public StrayReleaseAndNextLife() {
      super(0);
    }

    @Actor
    public void nextLife() {
      block.revive();
      tryRelease();
    }

    @Actor
    public void stray() {
      tryRelease();
    }

    private void tryRelease() {
      try {
        block.release();
      } catch (IllegalStateException _) {
        // it was released before
      }
    }

    @Arbiter
    public void after(II_Result result) {
      block.revive();
      tryRelease();
      result(result);
    }
  }
}
