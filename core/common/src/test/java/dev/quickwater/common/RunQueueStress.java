package dev.quickwater.common;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A task that races the end of its executor runs, is abandoned, or is refused: one of the three.
public class RunQueueStress {

  private RunQueueStress() {}

  /// One actor drives the queue to its end without patience, the other offers a task.
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "it ran")
  @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "it was abandoned")
  @Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "it was refused")
  @Outcome(expect = Expect.FORBIDDEN, desc = "no outcome, or two")
  @State
  public static class ExecuteRacesEnd implements Task {

    private final RunQueue queue = new RunQueue("stressed", new VirtualClock(), () -> {});
    private volatile int ran;
    private volatile int abandoned;
    private volatile int refused;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the driver alone
    public void run() {
      ran++;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the driver alone
    public void abandoned(Throwable cause) {
      abandoned++;
    }

    @Actor
    public void driver() {
      queue.bind();
      queue.runReady(1);
      queue.shutdown(Duration.ZERO);
      queue.drain();
      queue.end();
    }

    @Actor
    public void producer() {
      try {
        queue.execute(this);
      } catch (RejectedExecutionException _) {
        refused = 1;
      }
    }

    @Arbiter
    public void count(III_Result result) {
      result.r1 = ran;
      result.r2 = abandoned;
      result.r3 = refused;
    }
  }
}
