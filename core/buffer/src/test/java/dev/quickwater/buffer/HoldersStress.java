package dev.quickwater.buffer;

import dev.quickwater.buffer.Holders.Change;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// In every order of shares and releases, a block is freed exactly once. The result is the number
/// of times it was freed and its number of holders at the end.
public class HoldersStress {

  private HoldersStress() {}

  /// The count of one block, which is dead when it has no holders. The changes of each actor are
  /// counted separately.
  abstract static class OneBlock {

    private final int[] counts = {Holders.initial()};
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
      return change == Change.FREED || change == Change.REFUSED_AND_FREED ? 1 : 0;
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
}
