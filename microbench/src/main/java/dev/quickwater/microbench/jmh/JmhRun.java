package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.Layout;
import dev.quickwater.microbench.report.Environment;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.annotations.Mode;

/// `qw bench PATTERN`: runs the pairs that match and puts each beside its peers.
///
/// The sides of a pair run directly after one another, in separate forks, so that a machine that
/// slows down during a long run affects both. The interval treats iterations as independent samples
/// ([Ratio#independent]); those of one fork are not quite, so quote only runs with several forks.
public final class JmhRun {

  private final Length length;
  private final boolean allocations;
  private final List<Row> rows = new ArrayList<>();

  private JmhRun(Length length, boolean allocations) {
    this.length = length;
    this.allocations = allocations;
  }

  /// Prints the names that a pattern can match.
  public static void list() {
    Pair.all().forEach(pair -> System.out.println(pair.label()));
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException {
    Options options =
        Options.parse(args, Report.OPTIONS, Set.of("--quick", "--full", "--allocations"));
    if (options.words().size() != 1) {
      throw new UsageException("expected one pattern, see qw bench help");
    }
    Report.check(options);
    List<Pair> pairs = Pair.matching(options.words().getFirst());
    // Read now: the work tree may have moved on by the end.
    Environment environment = Environment.here(Layout.find().home());
    JmhRun run = new JmhRun(Length.of(options), options.has("--allocations"));
    for (int i = 0; i < pairs.size(); i++) {
      run.measure(pairs.get(i), "[" + (i + 1) + "/" + pairs.size() + "] ");
    }
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    System.out.print(Figures.table(run.rows));
    new Report("Quickwater beside its peers", environment, run.rows).write(options);
  }

  private void measure(Pair pair, String prefix) throws IOException {
    Side ours = measure(pair, JvmTerms.QUICKWATER, prefix);
    for (JvmTerms peer : pair.peers()) {
      Side theirs = measure(pair, peer, prefix);
      boolean lessIsBetter = ours.mode() != Mode.Throughput;
      addRows(pair.label(), ours.unit(), peer, lessIsBetter, ours.scores(), theirs.scores());
      addRows(pair.label() + " heap", "B/op", peer, true, ours.allocations(), theirs.allocations());
    }
  }

  private Side measure(Pair pair, JvmTerms terms, String prefix) throws IOException {
    return Side.run(pair, terms, length, allocations, prefix + pair.label() + " " + terms.label());
  }

  private void addRows(
      String label,
      String unit,
      JvmTerms peer,
      boolean lessIsBetter,
      Map<Map<String, String>, double[]> ours,
      Map<Map<String, String>, double[]> theirs) {
    ours.forEach((params, mine) -> {
      double[] other = theirs.get(params);
      if (other == null) {
        throw new IllegalStateException(label + " has other parameters in its counterpart");
      }
      Ratio ratio = Ratio.independent(mine, other);
      rows.add(
          lessIsBetter
              ? Row.lessIsBetter(label, params, unit, mean(mine), peer.label(), mean(other), ratio)
              : new Row(label, params, unit, mean(mine), peer.label(), mean(other), ratio));
    });
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
