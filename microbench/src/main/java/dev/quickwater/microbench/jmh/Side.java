package dev.quickwater.microbench.jmh;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// What one side of a pair measured: the score of every iteration of every fork, for each set of
/// parameters, and likewise the bytes that an operation allocated on the heap, if that was
/// requested.
public record Side(
    Mode mode,
    String unit,
    Map<Map<String, String>, double[]> scores,
    Map<Map<String, String>, double[]> allocations) {

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  static Side run(Pair pair, JvmTerms terms, Length length, boolean allocations, String label)
      throws IOException {
    var builder = options(pair, terms);
    if (allocations) {
      builder.addProfiler(GCProfiler.class);
    }
    return run(builder, length, label);
  }

  /// Runs one side with these values of its parameters alone, on `threads` threads, or on its
  /// default number if that is 0.
  ///
  /// @return the side with one set of parameters, see [#onlyScores]
  public static Side of(
      Pair pair,
      JvmTerms terms,
      Length length,
      Map<String, String> params,
      int threads,
      String label)
      throws IOException {
    var builder = options(pair, terms);
    // A collection before each iteration would take longer than the brief ones.
    builder.shouldDoGC(length != Length.BRIEF);
    params.forEach(builder::param);
    if (threads > 0) {
      builder.threads(threads);
    }
    return run(builder, length, label);
  }

  /// The scores of all iterations, where one set of parameters was run.
  public double[] onlyScores() {
    return scores.values().iterator().next();
  }

  private static ChainedOptionsBuilder options(Pair pair, JvmTerms terms) {
    return new OptionsBuilder()
        .include(pair.include(terms))
        .jvmArgs(terms.flags().toArray(String[]::new))
        .shouldFailOnError(true)
        .shouldDoGC(true);
  }

  private static Side run(ChainedOptionsBuilder builder, Length length, String label)
      throws IOException {
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
    Map<Map<String, String>, double[]> allocations = new LinkedHashMap<>();
    RunResult first = results.iterator().next();
    for (RunResult result : results) {
      Map<String, String> params = new TreeMap<>();
      for (String key : result.getParams().getParamsKeys()) {
        params.put(key, result.getParams().getParam(key));
      }
      List<IterationResult> iterations =
          result.getBenchmarkResults().stream()
              .map(BenchmarkResult::getIterationResults)
              .flatMap(Collection::stream)
              .toList();
      scores.put(
          params, iterations.stream().mapToDouble(i -> i.getPrimaryResult().getScore()).toArray());
      double[] bytes =
          iterations.stream()
              .flatMap(i -> Stream.ofNullable(i.getSecondaryResults().get(ALLOCATED)))
              .mapToDouble(Side::atLeastOne)
              .toArray();
      if (bytes.length > 0) {
        allocations.put(params, bytes);
      }
    }
    return new Side(
        first.getParams().getMode(), first.getPrimaryResult().getScoreUnit(), scores, allocations);
  }

  /// Less than a byte counts as one: it is the harness's, and a quotient by it has no meaning.
  private static double atLeastOne(Result<?> bytes) {
    return Math.max(1, bytes.getScore());
  }
}
