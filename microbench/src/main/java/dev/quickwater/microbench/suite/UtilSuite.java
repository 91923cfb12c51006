package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.jmh.JvmTerms;
import dev.quickwater.microbench.jmh.Pair;
import dev.quickwater.microbench.jmh.Side;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Row;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/// `qw bench util`: executors, timers, futures, thread-locals, text, maps, addresses and dates.
public final class UtilSuite {

  private UtilSuite() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Suite.run(
        new Suite.Plan(
            "Quickwater's utilities beside Netty's",
            UtilGoals::all,
            List.of(new Growth("CancelInOrder"), new Growth("CancelInReverseOrder")),
            UtilGoals.MEAN),
        args);
  }

  /// Our own time to cancel one timer of 100,000 beside one of 10,000.
  private record Growth(String order) implements Suite.Extra {

    private static final int FEW = 10_000;
    private static final int MANY = 100_000;

    /// One of many may take 1.3 times as long.
    private static final double TARGET = 1 / 1.3;

    @Override
    public String label() {
      return "timers: a task of 100,000, ScheduledTaskBenchmark." + order;
    }

    @Override
    public List<Row> rows(Extent extent) throws IOException {
      double[] many = {};
      double[] few = {};
      String unit = "";
      for (int round = 0; round < extent.rounds; round++) {
        Side side = run(MANY, extent);
        unit = side.unit();
        many = joined(many, side.onlyScores(), MANY);
        few = joined(few, run(FEW, extent).onlyScores(), FEW);
      }
      return List.of(
          Row.lessIsBetter(
                  label(),
                  Map.of(),
                  unit,
                  Arrays.stream(many).average().orElseThrow(),
                  "a task of 10,000",
                  Arrays.stream(few).average().orElseThrow(),
                  Ratio.independent(many, few))
              .withTarget(TARGET));
    }

    private Side run(int timers, Extent extent) throws IOException {
      Pair pair =
          Pair.all().stream()
              .filter(p -> p.label().equals("ScheduledTaskBenchmark." + order))
              .findFirst()
              .orElseThrow();
      return Side.of(
          pair,
          JvmTerms.QUICKWATER,
          extent.length,
          Map.of("timers", String.valueOf(timers)),
          0,
          label() + " " + timers);
    }

    private static double[] joined(double[] sofar, double[] more, int timers) {
      return DoubleStream.concat(
              Arrays.stream(sofar), Arrays.stream(more).map(score -> score / timers))
          .toArray();
    }
  }
}
