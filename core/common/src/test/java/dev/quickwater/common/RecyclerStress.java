package dev.quickwater.common;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// One actor plays the owner of a pool, the other one any other thread.
public class RecyclerStress {

  private RecyclerStress() {}

  /// What is recycled.
  public static final class Thing {
    int number;
  }

  private static RecyclerPool<Thing> pool() {
    return new RecyclerPool<>(RecyclerSettings.DEFAULT, Thread.currentThread());
  }

  private static Recycler.Handle<Thing> handle(RecyclerPool<Thing> pool) {
    return new Recycler.Handle<>(pool, new Thing());
  }

  private static int recycle(Recycler.Handle<Thing> handle, boolean byOwner) {
    try {
      handle.recycle(byOwner);
      return 1;
    } catch (IllegalStateException _) {
      return 0;
    }
  }

  private static int drain(RecyclerPool<Thing> pool) {
    int count = 0;
    while (pool.take() != null) {
      count++;
    }
    return count;
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "one succeeds, and the object is there once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class BothRecycle {

    private final RecyclerPool<Thing> pool = pool();
    private final Recycler.Handle<Thing> handle = handle(pool);

    @Actor
    public void owner(III_Result result) {
      result.r1 = recycle(handle, true);
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = recycle(handle, false);
    }

    @Arbiter
    public void count(III_Result result) {
      result.r3 = drain(pool);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 1", "7, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "not there yet, or handed out once with its fields")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, handed out twice, or half written")
  @State
  public static class TakenWhileGivenBack {

    private final RecyclerPool<Thing> pool = pool();
    private final Thing thing = new Thing();
    private final Recycler.Handle<Thing> handle = new Recycler.Handle<>(pool, thing);

    @Actor
    public void owner(II_Result result) {
      Recycler.@Nullable Handle<Thing> taken = pool.take();
      if (taken != null) {
        result.r1 = taken.takeAgain().number;
      }
    }

    @Actor
    public void other() {
      thing.number = 7;
      handle.recycle(false);
    }

    @Arbiter
    public void count(II_Result result) {
      result.r2 = drain(pool);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 2, 0", "1, 1, 0", "2, 0, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "each handed out once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class SeveralTakenWhileGivenBack {

    private final RecyclerPool<Thing> pool = pool();
    private final Recycler.Handle<Thing> first = handle(pool);
    private final Recycler.Handle<Thing> second = handle(pool);

    @Actor
    public void owner(III_Result result) {
      result.r1 = drain(pool);
    }

    @Actor
    public void other() {
      first.recycle(false);
      second.recycle(false);
    }

    @Arbiter
    public void count(III_Result result) {
      result.r2 = drain(pool);
      result.r3 = drain(pool);
    }
  }

  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "dropped, before or after")
  @Outcome(expect = Expect.FORBIDDEN, desc = "kept by a pool that has ended")
  @State
  public static class GivenBackAtTheEnd {

    private final RecyclerPool<Thing> pool = pool();
    private final Recycler.Handle<Thing> handle = handle(pool);

    @Actor
    public void owner() {
      pool.end();
    }

    @Actor
    public void other() {
      handle.recycle(false);
    }

    @Arbiter
    public void count(II_Result result) {
      result.r1 = pool.kept();
      result.r2 = pool.hasReturned() ? 1 : 0;
    }
  }

  /// The one that waits is fetched, and comes back behind another one, while a third comes.
  @JCStressTest
  @Outcome(
      id = {"0", "1", "2"},
      expect = Expect.ACCEPTABLE,
      desc = "as many as may wait, or fewer")
  @Outcome(expect = Expect.FORBIDDEN, desc = "more than may wait")
  @State
  public static class ComesBackWhileOthersCome {

    private final RecyclerPool<Thing> pool =
        new RecyclerPool<>(RecyclerSettings.DEFAULT.withMaxWaiting(2), Thread.currentThread());
    private final Recycler.Handle<Thing> first = handle(pool);
    private final Recycler.Handle<Thing> second = handle(pool);
    private final Recycler.Handle<Thing> third = handle(pool);

    public ComesBackWhileOthersCome() {
      first.recycle(false);
    }

    @Actor
    public void owner() {
      Recycler.@Nullable Handle<Thing> taken = pool.take();
      second.recycle(false);
      if (taken != null) {
        taken.takeAgain();
        taken.recycle(false);
      }
    }

    @Actor
    public void other() {
      third.recycle(false);
    }

    @Arbiter
    public void count(I_Result result) {
      int kept = pool.kept();
      result.r1 = drain(pool) - kept;
    }
  }
}
