package dev.quickwater.microbench.trace;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// `qw bench traces`: how much memory each allocator reserves for the same sequence of allocations,
/// and how that compares with what was live.
public final class AllocationPatternSimulator {

  private static final double MIB = 1 << 20;

  private AllocationPatternSimulator() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Options options = Options.parse(args, Set.of("--record"), Set.of());
    options.noWords();
    if (options.value("--record").isPresent()) {
      record(Path.of(options.value("--record").get()));
      return;
    }
    Table table =
        new Table(
            "trace", "allocator", "live MiB", "peak MiB", "peak/live", "steady MiB", "steady/live");
    for (Trace trace : Traces.all()) {
      for (Subject subject : Subject.values()) {
        Usage usage = Replay.apart(trace.name(), subject);
        table.add(
            trace.name(),
            subject.label(),
            mebibytes(usage.peakLive()),
            mebibytes(usage.peakReserved()),
            Figures.number(usage.peakRatio()),
            mebibytes(usage.steadyReserved()),
            Figures.number(usage.steadyRatio()));
      }
    }
    System.out.print(table);
    System.out.println("steady: mean over the second half of the trace's time");
  }

  private static void record(Path file) throws IOException {
    try {
      Trace trace = TraceRecorder.record();
      Files.writeString(file, TraceText.format(trace));
      System.err.println(trace.events().size() + " events in " + file);
    } catch (ReflectiveOperationException e) {
      throw new UsageException("the run could not be recorded: " + e.getCause());
    }
  }

  /// The traces' names.
  public static List<String> names() {
    return Traces.all().stream().map(Trace::name).toList();
  }

  /// What a trace's rows are called.
  public static String label(String trace) {
    return "reserved at the peak: trace " + trace;
  }

  /// The peaks of one trace: ours beside that of each of Netty's allocators, target 1. There is no
  /// interval, since a replay gives the same in every run.
  public static List<Row> peaks(String trace) throws IOException, InterruptedException {
    Usage ours = Replay.apart(trace, Subject.QUICKWATER);
    List<Row> rows = new ArrayList<>();
    for (Subject peer : List.of(Subject.NETTY, Subject.POOLED)) {
      Usage theirs = Replay.apart(trace, peer);
      double ratio = (double) theirs.peakReserved() / ours.peakReserved();
      rows.add(
          new Row(
              label(trace),
              Map.of(),
              "MiB",
              ours.peakReserved() / MIB,
              peer.label(),
              theirs.peakReserved() / MIB,
              new Ratio(ratio, ratio, ratio),
              1));
    }
    return rows;
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f", bytes / MIB);
  }
}
