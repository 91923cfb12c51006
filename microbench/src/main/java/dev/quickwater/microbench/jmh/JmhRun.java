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
/// The sides of a pair run directly after one another, in forks of their own, so that a machine
/// that slows down during a long run hits both. The interval treats iterations as independent
/// samples ([Ratio#independent]); those of one fork are not quite, so quote only runs with several
/// forks.
public final class JmhRun {

  private JmhRun() {}

  /// Prints the names that a pattern can match.
  public static void list() {
    Pair.all().forEach(pair -> System.out.println(pair.label()));
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException {
    Options options = Options.parse(args, Report.OPTIONS, Set.of("--quick", "--full"));
    if (options.words().size() != 1) {
      throw new UsageException("expected one pattern, see qw bench help");
    }
    Report.check(options);
    List<Pair> pairs = Pair.matching(options.words().getFirst());
    Length length = Length.of(options);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      rows.addAll(run(pairs.get(i), length, "[" + (i + 1) + "/" + pairs.size() + "] "));
    }
    Environment environment = Environment.here(Layout.find().home());
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    System.out.print(Figures.table(rows));
    new Report("Quickwater beside Netty", environment, rows).write(options);
  }

  private static List<Row> run(Pair pair, Length length, String prefix) throws IOException {
    Side ours = run(pair, JvmTerms.QUICKWATER, length, prefix);
    List<Row> rows = new ArrayList<>();
    for (JvmTerms peer : List.of(JvmTerms.NETTY, JvmTerms.NETTY_UNSAFE)) {
      Side theirs = run(pair, peer, length, prefix);
      ours.scores()
          .forEach((params, mine) -> rows.add(row(pair, params, ours, mine, peer, theirs)));
    }
    return rows;
  }

  private static Side run(Pair pair, JvmTerms terms, Length length, String prefix)
      throws IOException {
    return Side.run(pair, terms, length, prefix + pair.label() + " " + terms.label);
  }

  private static Row row(
      Pair pair, Map<String, String> params, Side ours, double[] mine, JvmTerms peer, Side theirs) {
    double[] other = theirs.scores().get(params);
    if (other == null) {
      throw new IllegalStateException(pair.label() + " has other parameters in its counterpart");
    }
    Ratio ratio = Ratio.independent(mine, other);
    double a = Arrays.stream(mine).average().orElseThrow();
    double b = Arrays.stream(other).average().orElseThrow();
    return ours.mode() == Mode.Throughput
        ? new Row(pair.label(), params, ours.unit(), a, peer.label, b, ratio)
        : Row.lessIsBetter(pair.label(), params, ours.unit(), a, peer.label, b, ratio);
  }
}
