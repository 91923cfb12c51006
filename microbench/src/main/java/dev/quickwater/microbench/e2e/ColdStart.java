package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `qw bench coldstart`: time from the launch of the process to the first byte of an answer.
///
/// Servers may use all cores, as a user's would. Launches of all variants are interleaved. Each is
/// measured with an ahead-of-time cache too, for both sides alike.
public final class ColdStart {

  private static final int LAUNCHES = 10;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final List<Variant> VARIANTS =
      List.of(
          Variant.QUICKWATER_EPOLL,
          Variant.QUICKWATER_NIO,
          Variant.QUICKWATER_LIBRARY,
          Variant.NETTY_NIO,
          Variant.NETTY_EPOLL);

  private record Start(Variant variant, boolean cached) {
    String label() {
      return variant.label() + (cached ? " + AOT cache" : "");
    }
  }

  private ColdStart() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException {
    Set<String> valued = new HashSet<>(Report.OPTIONS);
    valued.addAll(List.of("--launches", "--variants"));
    Options options = Options.parse(args, valued, Set.of());
    options.noWords();
    Report.check(options);
    int launches = options.number("--launches", LAUNCHES, 1);
    List<Variant> variants = Variant.jvms(options.list("--variants"), VARIANTS);
    Map<Start, double[]> millis;
    try (Scratch scratch = Scratch.create()) {
      millis = measure(commands(variants, scratch), launches);
    }
    Table table =
        new Table("ms to the first byte, " + launches + " launches", "median", "min", "max");
    millis.forEach((start, values) ->
        table.add(
            start.label(),
            Figures.number(Ratio.median(values)),
            Figures.number(Arrays.stream(values).min().orElseThrow()),
            Figures.number(Arrays.stream(values).max().orElseThrow())));
    System.out.print(table);
    Report.of("Cold start", rows(millis)).write(options);
  }

  private static Map<Start, List<String>> commands(List<Variant> variants, Scratch scratch)
      throws IOException {
    Layout layout = Layout.find();
    Map<Start, List<String>> commands = new LinkedHashMap<>();
    for (Variant variant : variants) {
      System.err.println("training " + variant.label());
      List<String> cache = AotCache.train(variant, layout, scratch.folder());
      commands.put(new Start(variant, false), variant.command(layout, scratch.folder(), List.of()));
      commands.put(new Start(variant, true), variant.command(layout, scratch.folder(), cache));
    }
    return commands;
  }

  private static Map<Start, double[]> measure(Map<Start, List<String>> commands, int launches)
      throws IOException {
    Map<Start, double[]> millis = new LinkedHashMap<>();
    commands.keySet().forEach(start -> millis.put(start, new double[launches]));
    for (int launch = 0; launch < launches; launch++) {
      System.err.println("[" + (launch + 1) + "/" + launches + "]");
      for (Map.Entry<Start, double[]> entry : millis.entrySet()) {
        long begin = System.nanoTime();
        try (ServerProcess server =
            ServerProcess.start(commands.getOrDefault(entry.getKey(), List.of()))) {
          PlainCheck.firstByte(server.address());
          entry.getValue()[launch] = (System.nanoTime() - begin) / NANOS_PER_MILLI;
        }
      }
    }
    return millis;
  }

  private static List<Row> rows(Map<Start, double[]> millis) {
    List<Row> rows = new ArrayList<>();
    millis.forEach((ours, mine) ->
        millis.forEach((peer, theirs) -> {
          if (ours.variant().ours() && peer.variant().netty() && ours.cached() == peer.cached()) {
            rows.add(
                Row.lessIsBetter(
                    "coldstart",
                    Map.of("server", ours.label()),
                    "ms",
                    Ratio.median(mine),
                    peer.label(),
                    Ratio.median(theirs),
                    Ratio.independent(mine, theirs)));
          }
        }));
    return rows;
  }
}
