package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `qw bench offloop`: messages that a thread which is not the loop writes to one TCP channel.
///
/// - **Processor time:** that of the producer and of the loop for a message of 64 bytes, each
///   written and flushed by itself. The producer obeys `isWritable` and rests while it is false. A
///   third thread reads the bytes and is not counted.
/// - **Flood:** the loop is busy with a task while a producer that obeys `isWritable` writes 1 KiB
///   at a time. The figure is what it has written when it is refused, or after 64 MiB.
///
/// Both sides run in this process by turns, Netty with its default allocator and void promises.
public final class OffLoop {

  private static final int FLOOD_MESSAGE = 1024;
  private static final int FLOOD_END = 64 << 20;

  private final int messages;
  private final List<OffLoopSide.Cost> ours = new ArrayList<>();
  private final List<OffLoopSide.Cost> theirs = new ArrayList<>();
  private final List<Double> ourFlood = new ArrayList<>();
  private final List<Double> theirFlood = new ArrayList<>();

  private OffLoop(int messages) {
    this.messages = messages;
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Set<String> valued = new HashSet<>(Report.OPTIONS);
    valued.addAll(List.of("--messages", "--rounds"));
    Options options = Options.parse(args, valued, Set.of());
    options.noWords();
    Report.check(options);
    OffLoop bench = new OffLoop(options.number("--messages", 500_000, 1000));
    int rounds = options.number("--rounds", 5, 1);
    for (int round = 0; round <= rounds; round++) {
      bench.round(round > 0); // the first warms up
    }
    System.out.print(bench.table());
    Report.of("Writes from another thread", bench.rows()).write(options);
  }

  private void round(boolean counts) throws IOException, InterruptedException {
    try (OffLoopSide quickwater = new OurOffLoop();
        OffLoopSide netty = new NettyOffLoop()) {
      OffLoopSide.Cost mine = quickwater.send(messages);
      OffLoopSide.Cost others = netty.send(messages);
      double myFlood = quickwater.flood(FLOOD_MESSAGE, FLOOD_END);
      double othersFlood = netty.flood(FLOOD_MESSAGE, FLOOD_END);
      if (counts) {
        ours.add(mine);
        theirs.add(others);
        ourFlood.add(myFlood);
        theirFlood.add(othersFlood);
      }
    }
  }

  private static double[] cpu(List<OffLoopSide.Cost> costs) {
    return costs.stream().mapToDouble(OffLoopSide.Cost::nanosPerMessage).toArray();
  }

  private static double[] sends(List<OffLoopSide.Cost> costs) {
    return costs.stream().mapToDouble(OffLoopSide.Cost::messagesPerFlush).toArray();
  }

  private static double[] values(List<Double> list) {
    return list.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private Table table() {
    Table table =
        new Table("writeAndFlush off the loop", "CPU ns/message", "messages/flush", "flood bytes");
    table.add(
        "quickwater-epoll",
        cells(ours, ourFlood)[0],
        cells(ours, ourFlood)[1],
        cells(ours, ourFlood)[2]);
    table.add(
        "netty-epoll",
        cells(theirs, theirFlood)[0],
        cells(theirs, theirFlood)[1],
        cells(theirs, theirFlood)[2]);
    table.add(
        "ratio",
        Figures.ratio(Ratio.paired(cpu(ours), cpu(theirs))),
        "-",
        Figures.ratio(Ratio.paired(values(ourFlood), values(theirFlood))));
    return table;
  }

  private static String[] cells(List<OffLoopSide.Cost> costs, List<Double> flood) {
    return new String[] {
      Figures.number(Ratio.median(cpu(costs))),
      Figures.number(Ratio.median(sends(costs))),
      Figures.number(Ratio.median(values(flood)))
    };
  }

  private List<Row> rows() {
    return List.of(
        row("offloop.cpu", "ns CPU/message", cpu(ours), cpu(theirs)),
        row("offloop.flood", "bytes", values(ourFlood), values(theirFlood)));
  }

  private static Row row(String name, String unit, double[] mine, double[] others) {
    return Row.lessIsBetter(
        name,
        Map.of(),
        unit,
        Ratio.median(mine),
        "netty-epoll",
        Ratio.median(others),
        Ratio.paired(mine, others));
  }
}
