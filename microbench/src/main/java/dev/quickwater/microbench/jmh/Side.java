package dev.quickwater.microbench.jmh;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// What one side of a pair measured: the score of every iteration of every fork, for each set of
/// parameters.
record Side(Mode mode, String unit, Map<Map<String, String>, double[]> scores) {

  static Side run(Pair pair, JvmTerms terms, Length length, String label) throws IOException {
    var builder =
        new OptionsBuilder()
            .include(pair.include(terms))
            .jvmArgs(terms.flags())
            .shouldFailOnError(true)
            .shouldDoGC(true);
    try {
      return of(new Runner(length.apply(builder).build(), new Progress(label)).run());
    } catch (RunnerException e) {
      throw new IOException(label + ": " + e.getMessage(), e);
    }
  }

  private static Side of(Collection<RunResult> results) throws IOException {
    if (results.isEmpty()) {
      throw new IOException("a benchmark gave no result");
    }
    Map<Map<String, String>, double[]> scores = new LinkedHashMap<>();
    RunResult first = results.iterator().next();
    for (RunResult result : results) {
      Map<String, String> params = new TreeMap<>();
      for (String key : result.getParams().getParamsKeys()) {
        params.put(key, result.getParams().getParam(key));
      }
      scores.put(
          params,
          result.getBenchmarkResults().stream()
              .map(BenchmarkResult::getIterationResults)
              .flatMap(Collection::stream)
              .map(IterationResult::getPrimaryResult)
              .mapToDouble(primary -> primary.getScore())
              .toArray());
    }
    return new Side(first.getParams().getMode(), first.getPrimaryResult().getScoreUnit(), scores);
  }
}
