package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// `qw bench fairness`: the latency of well-behaved connections while others, on the same loop,
/// pipeline requests for a file without end.
///
/// The figure is the median time of a `/plaintext` request in milliseconds, first alone and then
/// beside the flood. The server has one core, this process the other, so the flood never takes the
/// server's processor. A server is also measured by the bytes that the flood receives: refusing to
/// serve it would be no fairness.
public final class Fairness {

  private static final int SERVER_CORE = 0;
  private static final int CLIENT_CORE = 1;
  private static final int WARM_UP_SECONDS = 3;
  private static final int FILE_BYTES = 1024;
  private static final String FILE = "a.txt";

  private static final List<Variant> VARIANTS =
      List.of(
          Variant.QUICKWATER_EPOLL,
          Variant.QUICKWATER_NIO,
          Variant.NETTY_NIO,
          Variant.NETTY_EPOLL,
          Variant.NETTY_EPOLL_UNSAFE);

  /// One round of a server.
  private record Sample(double alone, double beside, double floodBytesPerSecond) {

    double rise() {
      return beside - alone;
    }
  }

  private final int attackers;
  private final int seconds;
  private final Path folder;
  private final Map<Variant, List<Sample>> results = new EnumMap<>(Variant.class);

  private Fairness(int attackers, int seconds, Path folder) throws IOException {
    this.attackers = attackers;
    this.seconds = seconds;
    this.folder = folder;
    Files.write(folder.resolve(FILE), new byte[FILE_BYTES]);
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Set<String> valued = new HashSet<>(Report.OPTIONS);
    valued.addAll(List.of("--attackers", "--seconds", "--rounds", "--variants"));
    Options options = Options.parse(args, valued, Set.of());
    options.noWords();
    Report.check(options);
    Tools.require("taskset");
    OwnCore.pin(CLIENT_CORE);
    int rounds = options.number("--rounds", 3, 1);
    List<Variant> order = new ArrayList<>(Variant.jvms(options.list("--variants"), VARIANTS));
    try (Scratch scratch = Scratch.create()) {
      Fairness fairness =
          new Fairness(
              options.number("--attackers", 1, 1),
              options.number("--seconds", 5, 1),
              scratch.folder());
      for (int round = 1; round <= rounds; round++) {
        for (Variant variant : order) {
          System.err.println("round " + round + " of " + rounds + ": " + variant.label());
          fairness.measure(variant);
        }
        Collections.rotate(order, -1);
      }
      System.out.print(fairness.table());
      Report.of("Fairness", fairness.rows()).write(options);
    }
  }

  private void measure(Variant variant) throws IOException {
    List<String> command = new ArrayList<>(variant.command(Layout.find(), folder, List.of()));
    command.addAll(variant.files(folder));
    try (ServerProcess server = ServerProcess.pinned(SERVER_CORE, command)) {
      Neighbours neighbours = new Neighbours(server.address(), PlainCheck.verify(server.address()));
      flood(server, neighbours, WARM_UP_SECONDS);
      double alone = neighbours.medianMillis(seconds);
      Sample sample = flood(server, neighbours, seconds);
      results
          .computeIfAbsent(variant, _ -> new ArrayList<>())
          .add(new Sample(alone, sample.beside(), sample.floodBytesPerSecond()));
    }
  }

  private Sample flood(ServerProcess server, Neighbours neighbours, int length) throws IOException {
    List<PipelineFlood> floods = new ArrayList<>();
    try {
      for (int i = 0; i < attackers; i++) {
        floods.add(new PipelineFlood(server.address(), "/files/" + FILE));
      }
      long start = System.nanoTime();
      long before = received(floods);
      double beside = neighbours.medianMillis(length);
      double elapsed = (System.nanoTime() - start) / 1e9;
      return new Sample(0, beside, (received(floods) - before) / elapsed);
    } finally {
      for (PipelineFlood flood : floods) {
        flood.close();
      }
    }
  }

  private static long received(List<PipelineFlood> floods) {
    return floods.stream().mapToLong(PipelineFlood::received).sum();
  }

  private Table table() {
    Table table =
        new Table(
            "neighbours of " + attackers + " floods, median",
            "alone ms",
            "beside ms",
            "rise ms",
            "flood MiB/s");
    results.forEach((variant, samples) ->
        table.add(
            variant.label(),
            median(samples, Sample::alone),
            median(samples, Sample::beside),
            median(samples, Sample::rise),
            median(samples, sample -> sample.floodBytesPerSecond() / (1 << 20))));
    return table;
  }

  private static String median(List<Sample> samples, ToDoubleFunction<Sample> part) {
    return Figures.number(Ratio.median(values(samples, part)));
  }

  private static double[] values(List<Sample> samples, ToDoubleFunction<Sample> part) {
    return samples.stream().mapToDouble(part).toArray();
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    results.forEach((ours, mine) ->
        results.forEach((peer, theirs) -> {
          if (ours.ours() && peer.netty()) {
            double[] a = values(mine, Sample::beside);
            double[] b = values(theirs, Sample::beside);
            rows.add(
                Row.lessIsBetter(
                    "fairness.neighbours",
                    Map.of("server", ours.label(), "floods", String.valueOf(attackers)),
                    "ms",
                    Ratio.median(a),
                    peer.label(),
                    Ratio.median(b),
                    Ratio.paired(a, b)));
          }
        }));
    return rows;
  }
}
