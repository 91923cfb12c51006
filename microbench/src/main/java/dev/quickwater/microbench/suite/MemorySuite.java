package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.trace.AllocationPatternSimulator;
import java.io.IOException;
import java.util.List;

/// `qw bench memory`: buffers and allocators.
public final class MemorySuite {

  private MemorySuite() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    List<Suite.Extra> traces =
        AllocationPatternSimulator.names().stream().<Suite.Extra>map(Peaks::new).toList();
    Suite.run(
        new Suite.Plan(
            "Quickwater's memory beside Netty's", MemoryGoals::all, traces, MemoryGoals.MEAN),
        args);
  }

  private record Peaks(String trace) implements Suite.Extra {

    @Override
    public String label() {
      return AllocationPatternSimulator.label(trace);
    }

    @Override
    public List<Row> rows(Extent extent) throws IOException, InterruptedException {
      return AllocationPatternSimulator.peaks(trace);
    }
  }
}
