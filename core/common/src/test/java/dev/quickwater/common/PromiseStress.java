package dev.quickwater.common;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// One completion wins and each listener runs exactly once, however calls interleave.
public class PromiseStress {

  private PromiseStress() {}

  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each exactly once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost or doubled")
  @State
  public static class CompleteAndListen {

    private final AtomicInteger early = new AtomicInteger();
    private final AtomicInteger racing = new AtomicInteger();
    private final Promise<Integer> promise = new Promise<>(new Inline());

    public CompleteAndListen() {
      promise.onComplete(_ -> early.incrementAndGet());
    }

    @Actor
    public void complete() {
      promise.trySuccess(1);
    }

    @Actor
    public void listen() {
      promise.onComplete(_ -> racing.incrementAndGet());
    }

    @Arbiter
    public void result(II_Result result) {
      result.r1 = early.get();
      result.r2 = racing.get();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "one wins")
  @Outcome(expect = Expect.FORBIDDEN, desc = "none or both")
  @State
  public static class CompleteTwice {

    private final AtomicInteger winner = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final Promise<Integer> promise = new Promise<>(new Inline());

    public CompleteTwice() {
      promise.onComplete(_ -> told.incrementAndGet());
    }

    @Actor
    public void complete() {
      if (promise.trySuccess(1)) {
        winner.addAndGet(1);
      }
    }

    @Actor
    public void completeToo() {
      if (promise.trySuccess(2)) {
        winner.addAndGet(2);
      }
    }

    @Arbiter
    public void result(II_Result result) {
      result.r1 = promise.value() == winner.get() ? winner.get() : -1;
      result.r2 = told.get();
    }
  }
}
