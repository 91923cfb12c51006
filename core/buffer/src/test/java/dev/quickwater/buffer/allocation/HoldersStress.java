package dev.quickwater.buffer.allocation;

import dev.quickwater.buffer.allocation.Holders.Change;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// In every order of shares and releases, a block is freed exactly once. The result is the number
/// of times it was freed and its number of holders at the end.
public class HoldersStress {

  private HoldersStress() {}

  /// The count of one block, which is dead when it has no holders. The changes of each actor are
  /// counted separately.
  abstract static class OneBlock {

    final int[] counts = {Holders.initial()};
    int freedByOne;
    int freedByOther;

    OneBlock(int holders) {
      if (holders > 0) {
        revive();
      }
      for (int i = 1; i < holders; i++) {
        share();
      }
    }

    void revive() {
      Holders.revive(counts, 0);
    }

    int share() {
      return freed(Holders.share(counts, 0));
    }

    int release() {
      return freed(Holders.release(counts, 0));
    }

    int shareAndRelease() {
      Change change = Holders.share(counts, 0);
      return change == Change.DONE ? release() : freed(change);
    }

    private static int freed(Change change) {
      return change == Change.FREED ? 1 : 0;
    }

    void result(II_Result result) {
      result.r1 = freedByOne + freedByOther;
      result.r2 = Holders.of(counts, 0);
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
    public void one() {
      freedByOne = release();
    }

    @Actor
    public void other() {
      freedByOther = release();
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
    public void one() {
      freedByOne = release();
    }

    @Actor
    public void other() {
      freedByOther = shareAndRelease();
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
    public void one() {
      freedByOne = release();
    }

    @Actor
    public void other() {
      freedByOther = shareAndRelease();
    }

    @Arbiter
    public void after(II_Result result) {
      result(result);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the next life continues")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the next life was freed")
  @State
  public static class StrayShareAndNextLife extends OneBlock {

    public StrayShareAndNextLife() {
      super(0);
    }

    @Actor
    public void one() {
      revive();
    }

    @Actor
    public void other() {
      freedByOther = shareAndRelease();
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
    public void one() {
      revive();
      freedByOne = release();
    }

    @Actor
    public void other() {
      freedByOther = release();
    }

    @Arbiter
    public void after(II_Result result) {
      revive();
      freedByOne += release();
      result(result);
    }
  }

  /// A share and a release too many on dead memory, whose next life begins meanwhile. A refused
  /// call changes nothing: the number of holders is 1, plus 1 if the share succeeded, minus 1 if
  /// the release succeeded. The result is the difference from that number. jcstress runs it on
  /// three processors and more; `HoldersStepsTest` tries the same calls in order.
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "refused calls change nothing")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a refused call changed the next life")
  @State
  public static class StrayShareStrayReleaseAndNextLife extends OneBlock {

    private Change shared = Change.REFUSED;
    private Change released = Change.REFUSED;

    public StrayShareStrayReleaseAndNextLife() {
      super(0);
    }

    @Actor
    public void owner() {
      revive();
    }

    @Actor
    public void strayShare() {
      shared = Holders.share(counts, 0);
    }

    @Actor
    public void strayRelease() {
      released = Holders.release(counts, 0);
    }

    @Arbiter
    public void after(I_Result result) {
      int expected = 1 + (shared == Change.DONE ? 1 : 0) - (released == Change.REFUSED ? 0 : 1);
      result.r1 = Holders.of(counts, 0) - expected;
    }
  }
}
