package dev.quickwater.common;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

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

  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "one wins, the listener is told once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "none or both")
  @State
  public static class CancelAndClaim {

    private final AtomicInteger told = new AtomicInteger();
    private final Promise<Integer> promise = new Promise<>(new Inline());
    private int cancelled;
    private int claimed;

    public CancelAndClaim() {
      promise.onComplete(_ -> told.incrementAndGet());
    }

    @Actor
    public void cancel() {
      cancelled = promise.cancel() ? 1 : 0;
    }

    @Actor
    public void work() {
      if (promise.claim()) {
        claimed = promise.trySuccess(1) ? 1 : 0;
      }
    }

    @Arbiter
    public void result(III_Result result) {
      result.r1 = cancelled;
      result.r2 = claimed;
      result.r3 = told.get();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "one wins")
  @Outcome(expect = Expect.FORBIDDEN, desc = "none or both")
  @State
  public static class CancelAndComplete {

    private final AtomicInteger told = new AtomicInteger();
    private final Promise<Integer> promise = new Promise<>(new Inline());
    private int cancelled;
    private int completed;

    @Actor
    public void cancel() {
      cancelled = promise.cancel() ? 1 : 0;
    }

    @Actor
    public void complete() {
      completed = promise.trySuccess(1) ? 1 : 0;
    }

    @Arbiter
    public void result(III_Result result) {
      promise.onComplete(
          future -> told.addAndGet(future.isCancelled() == (cancelled == 1) ? 1 : 9));
      result.r1 = cancelled;
      result.r2 = completed;
      result.r3 = told.get();
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "claimed and told")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a claim or a listener is lost")
  @State
  public static class ClaimAndListen {

    private final AtomicInteger told = new AtomicInteger();
    private final Promise<Integer> promise = new Promise<>(new Inline());
    private int claimed;

    @Actor
    public void claim() {
      claimed = promise.claim() ? 1 : 0;
    }

    @Actor
    public void listen() {
      promise.onComplete(_ -> told.incrementAndGet());
    }

    @Arbiter
    public void result(III_Result result) {
      result.r1 = claimed;
      result.r2 = promise.cancel() ? 1 : 0;
      promise.trySuccess(1);
      result.r3 = told.get();
    }
  }

  /// An actor that is never woken hangs, which the harness reports.
  @JCStressTest
  @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "woken, or there was nothing to wait for")
  @Outcome(expect = Expect.FORBIDDEN, desc = "another value")
  @State
  public static class AwaitAndComplete {

    private final Promise<Integer> promise = new Promise<>(new Inline());

    @Actor
    public void await(I_Result result) {
      try {
        result.r1 = promise.await();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError(e);
      }
    }

    @Actor
    public void complete() {
      promise.trySuccess(7);
    }
  }
}
