package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.report.Figures;
import java.io.IOException;
import java.util.Collection;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/// One line on standard error for each measured iteration, and the errors of forks.
final class Progress implements OutputFormat {

  private final String label;

  Progress(String label) {
    this.label = label;
  }

  @Override
  public void iterationResult(
      BenchmarkParams benchmark, IterationParams iteration, int number, IterationResult data) {
    System.err.println(
        label
            + parameters(benchmark)
            + " "
            + iteration.getType().toString().toLowerCase(java.util.Locale.ROOT)
            + " "
            + number
            + "/"
            + iteration.getCount()
            + ": "
            + Figures.number(data.getPrimaryResult().getScore())
            + " "
            + data.getScoreUnit());
  }

  private static String parameters(BenchmarkParams benchmark) {
    StringBuilder text = new StringBuilder();
    for (String key : benchmark.getParamsKeys()) {
      text.append(' ').append(key).append('=').append(benchmark.getParam(key));
    }
    return text.toString();
  }

  @Override
  public void verbosePrintln(String text) {}

  @Override
  public void print(String text) {}

  @Override
  public void println(String text) {
    if (text.contains("<failure>") || text.contains("Exception") || text.contains("WARNING")) {
      System.err.println(text);
    }
  }

  @Override
  public void iteration(BenchmarkParams benchmark, IterationParams iteration, int number) {}

  @Override
  public void startBenchmark(BenchmarkParams benchmark) {}

  @Override
  public void endBenchmark(BenchmarkResult result) {}

  @Override
  public void startRun() {}

  @Override
  public void endRun(Collection<RunResult> result) {}

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public void write(int b) {}

  @Override
  public void write(byte[] b) throws IOException {}
}
