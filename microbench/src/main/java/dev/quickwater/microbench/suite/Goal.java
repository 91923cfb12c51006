package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.jmh.Pair;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A line of a suite before it is measured: which pairs, on which terms, and the ratio to reach.
///
/// @param topic what the row is about, in a word or two
/// @param pairs a regular expression for the whole label of a pair
/// @param params parameters that stay at one value; of the others all values are rows
/// @param threads 0 for the benchmark's number
/// @param target the ratio to reach
record Goal(
    String topic,
    Pattern pairs,
    Map<String, String> params,
    Against against,
    int threads,
    double target) {

  Goal(String topic, String pairs, Against against, double target) {
    this(topic, Pattern.compile(pairs), Map.of(), against, 0, target);
  }

  Goal with(Map<String, String> fixed) {
    return new Goal(topic, pairs, fixed, against, threads, target);
  }

  Goal onThreads(int count) {
    return new Goal(topic, pairs, params, against, count, target);
  }

  /// One row of the result.
  record Line(Goal goal, Pair pair, Map<String, String> params) {

    String label() {
      return goal.topic + ": " + pair.label() + (goal.threads == 0 ? "" : " x" + goal.threads);
    }
  }

  /// The rows that this goal stands for, none if no pair has such a name.
  Stream<Line> lines(List<Pair> all) {
    return all.stream()
        .filter(pair -> pairs.matcher(pair.label()).matches())
        .flatMap(pair -> pair.combinations(params).stream().map(p -> new Line(this, pair, p)));
  }
}
