package dev.quickwater.channel.spi;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.account.ChannelAccount;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/// What other threads see of the count of one channel.
public class WriteAccountStress {

  private WriteAccountStress() {}

  private static final class Account extends ChannelAccount {

    private static final ChannelSettings SETTINGS =
        ChannelSettings.DEFAULT.withWaterMarks(50, 100).withHardLimit(150);

    @Override
    public ChannelSettings settings() {
      return SETTINGS;
    }

    @Override
    public void writabilityChanged(boolean nested) {}
  }

  /// A message of 100 that was submitted moves to the output while another thread reads.
  @JCStressTest
  @Outcome(id = "100, 100", expect = Expect.ACCEPTABLE, desc = "in one of the counts")
  @Outcome(id = "200, 100", expect = Expect.ACCEPTABLE, desc = "in both for a moment")
  @Outcome(expect = Expect.FORBIDDEN, desc = "in none, or counted twice for good")
  @State
  public static class MoveRacesReader {

    private final Account account = new Account();

    public MoveRacesReader() {
      account.submit(100);
    }

    @Actor
    public void loop() {
      account.arriving(100);
      account.add(100);
      account.arrived();
    }

    @Actor
    public void reader(JJ_Result result) {
      result.r1 = account.pending();
    }

    @Arbiter
    public void end(JJ_Result result) {
      result.r2 = account.pending();
    }
  }

  /// Two threads submit 100 each, of which the hard limit admits one.
  @JCStressTest
  @Outcome(id = "true, false, 100", expect = Expect.ACCEPTABLE, desc = "the first")
  @Outcome(id = "false, true, 100", expect = Expect.ACCEPTABLE, desc = "the second")
  @Outcome(id = "false, false, 0", expect = Expect.ACCEPTABLE, desc = "each saw the other")
  @Outcome(expect = Expect.FORBIDDEN, desc = "over the limit, or a refused cost is left")
  @State
  public static class TwoSubmitOverTheLimit {

    private final Account account = new Account();

    @Actor
    public void first(ZZJ_Result result) {
      result.r1 = account.submit(100);
    }

    @Actor
    public void second(ZZJ_Result result) {
      result.r2 = account.submit(100);
    }

    @Arbiter
    public void end(ZZJ_Result result) {
      result.r3 = account.pending();
    }
  }
}
