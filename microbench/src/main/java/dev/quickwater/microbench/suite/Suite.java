package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.Layout;
import dev.quickwater.microbench.jmh.JvmTerms;
import dev.quickwater.microbench.jmh.Pair;
import dev.quickwater.microbench.jmh.Side;
import dev.quickwater.microbench.report.Environment;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/// A run of many goals beside Netty, in one table with their targets.
///
/// - The sides of a row run in turn, each time in a separate JVM, and the whole turn is repeated:
///   what slows the machine down for a while slows both sides.
/// - The peer of a row is the variant that was fastest in this run.
/// - A row that is finished is on standard error, and in the requested files, at once.
final class Suite {

  /// What is run.
  ///
  /// @param title of the report
  /// @param goals rows made of pairs
  /// @param extras further rows
  /// @param mean target of the geometric mean of all ratios
  record Plan(String title, Function<Extent, List<Goal>> goals, List<Extra> extras, double mean) {}

  /// Rows that are not a pair's.
  interface Extra {

    /// What `--rows` is compared with.
    String label();

    /// Measures.
    List<Row> rows(Extent extent) throws IOException, InterruptedException;
  }

  private final Plan plan;
  private final Options options;
  private final Environment environment;
  private final Extent extent;
  private final List<Row> rows = new ArrayList<>();

  private Suite(Plan plan, Options options, Environment environment) {
    this.plan = plan;
    this.options = options;
    this.environment = environment;
    extent = Extent.of(options);
  }

  /// Runs the command with its arguments.
  static void run(Plan plan, List<String> args) throws IOException, InterruptedException {
    Set<String> valued = new TreeSet<>(Report.OPTIONS);
    valued.add("--rows");
    Options options = Options.parse(args, valued, Set.of("--quick", "--full"));
    options.noWords();
    Report.check(options);
    Predicate<String> wanted =
        options.value("--rows").map(Pair::compile).orElse(Pattern.compile("")).asPredicate();
    Extent extent = Extent.of(options);
    List<Goal.Line> lines =
        lines(plan.goals.apply(extent)).stream().filter(line -> wanted.test(text(line))).toList();
    List<Extra> extras = plan.extras.stream().filter(extra -> wanted.test(extra.label())).toList();
    if (lines.isEmpty() && extras.isEmpty()) {
      throw new UsageException("no row matches '" + options.value("--rows").orElse("") + "'");
    }
    int sides = lines.stream().mapToInt(line -> line.goal().against().peers().size() + 1).sum();
    System.err.println(
        lines.size()
            + " rows and "
            + extras.size()
            + " further measurements, "
            + sides * extent.rounds
            + " JVMs to start for the rows");
    Suite suite = new Suite(plan, options, Environment.here(Layout.find().home()));
    for (int i = 0; i < lines.size(); i++) {
      suite.measure(lines.get(i), "[" + (i + 1) + "/" + lines.size() + "] ");
    }
    for (Extra extra : extras) {
      for (Row row : extra.rows(extent)) {
        suite.add(row);
      }
    }
    System.out.println(suite.environment.machine());
    System.out.println(suite.environment.jdk() + ", commit " + suite.environment.commit());
    System.out.print(Figures.targets(suite.rows, plan.mean));
  }

  private static List<Goal.Line> lines(List<Goal> goals) {
    List<Pair> pairs = Pair.all();
    List<Goal.Line> lines = new ArrayList<>();
    for (Goal goal : goals) {
      List<Goal.Line> found = goal.lines(pairs).toList();
      if (found.isEmpty()) {
        System.err.println("left out, no benchmark is called " + goal.pairs());
      }
      lines.addAll(found);
    }
    return lines;
  }

  private static String text(Goal.Line line) {
    return line.label() + " " + line.params();
  }

  private void measure(Goal.Line line, String prefix) throws IOException {
    Against against = line.goal().against();
    Map<JvmTerms, double[]> scores = new HashMap<>();
    String unit = "";
    for (int round = 0; round < extent.rounds; round++) {
      unit = measure(line, against.ours(), scores, prefix);
      for (JvmTerms peer : against.peers()) {
        measure(line, peer, scores, prefix);
      }
    }
    double[] ours = Objects.requireNonNull(scores.get(against.ours()));
    JvmTerms best = against.peers().getFirst();
    double[] theirs = Objects.requireNonNull(scores.get(best));
    for (JvmTerms peer : against.peers()) {
      double[] candidate = Objects.requireNonNull(scores.get(peer));
      if (mean(candidate) < mean(theirs)) {
        best = peer;
        theirs = candidate;
      }
    }
    add(
        Row.lessIsBetter(
                line.label(),
                line.params(),
                unit,
                mean(ours),
                best.label(),
                mean(theirs),
                Ratio.independent(ours, theirs))
            .withTarget(line.goal().target()));
  }

  /// The unit, with the scores added to those of the terms.
  private String measure(
      Goal.Line line, JvmTerms terms, Map<JvmTerms, double[]> scores, String prefix)
      throws IOException {
    Side side =
        Side.of(
            line.pair(),
            terms,
            extent.length,
            line.params(),
            line.goal().threads(),
            prefix + text(line) + " " + terms.label());
    scores.merge(
        terms,
        side.onlyScores(),
        (a, b) -> DoubleStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray());
    return side.unit();
  }

  private void add(Row row) throws IOException {
    rows.add(row);
    System.err.println(
        row.label()
            + ": "
            + Figures.ratio(row.ratio())
            + " of "
            + row.peer()
            + ", target "
            + Figures.number(row.target())
            + ", "
            + row.verdict());
    new Report(plan.title, environment, rows).write(options);
  }

  /// The geometric one, which the ratio's is a quotient of: an iteration that lost the processor
  /// weighs little.
  private static double mean(double[] values) {
    return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
  }
}
