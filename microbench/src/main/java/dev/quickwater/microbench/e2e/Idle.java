package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `qw bench idle`: memory for each connection that has served one request and now waits.
///
/// The heap has a fixed size and is touched at start, so resident memory grows by native memory
/// alone, and what the heap holds is counted after a full collection; the sum is the answer. What
/// the kernel keeps for the socket is in neither and the same for all.
public final class Idle {

  private static final int CONNECTIONS = 5_000;

  /// Large enough for 20,000 connections of any variant.
  private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

  private static final List<Variant> VARIANTS =
      List.of(
          Variant.QUICKWATER_EPOLL,
          Variant.QUICKWATER_NIO,
          Variant.QUICKWATER_LIBRARY,
          Variant.NETTY_NIO,
          Variant.NETTY_EPOLL,
          Variant.NETTY_IO_URING);

  private record Growth(double heap, double outside) {
    double sum() {
      return heap + outside;
    }
  }

  private Idle() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Set<String> valued = new HashSet<>(Report.OPTIONS);
    valued.addAll(List.of("--connections", "--variants"));
    Options options = Options.parse(args, valued, Set.of());
    options.noWords();
    Report.check(options);
    int connections = options.number("--connections", CONNECTIONS, 100);
    List<Variant> variants = Variant.jvms(options.list("--variants"), VARIANTS);
    Map<Variant, Growth> results = new java.util.EnumMap<>(Variant.class);
    Table table = new Table("bytes per idle connection", "heap", "outside", "sum");
    for (Variant variant : variants) {
      System.err.println(variant.label() + ": " + connections + " connections");
      Growth growth = measure(variant, connections);
      results.put(variant, growth);
      table.add(
          variant.label(),
          Figures.number(growth.heap()),
          Figures.number(growth.outside()),
          Figures.number(growth.sum()));
    }
    System.out.print(table);
    Report.of("Idle connections", rows(results, connections)).write(options);
  }

  private static Growth measure(Variant variant, int connections)
      throws IOException, InterruptedException {
    List<Socket> sockets = new ArrayList<>();
    try (ServerProcess server =
        ServerProcess.start(variant.command(Layout.find(), Path.of("none"), HEAP))) {
      for (int i = 0; i < connections / 10; i++) {
        PlainCheck.verify(server.address());
      }
      Resident before = Resident.afterCollection(server.pid());
      for (int i = 0; i < connections; i++) {
        sockets.add(PlainCheck.served(server.address()));
      }
      Resident after = Resident.afterCollection(server.pid());
      return new Growth(
          (double) (after.liveHeap() - before.liveHeap()) / connections,
          (double) (after.resident() - before.resident()) / connections);
    } catch (java.net.SocketException e) {
      throw new UsageException(
          "stopped at " + sockets.size() + " connections, see ulimit -n: " + e.getMessage());
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static List<Row> rows(Map<Variant, Growth> results, int connections) {
    List<Row> rows = new ArrayList<>();
    results.forEach((ours, mine) ->
        results.forEach((peer, theirs) -> {
          if (ours.ours() && peer.netty()) {
            rows.add(
                Row.lessIsBetter(
                    "idle.memory",
                    Map.of("server", ours.label(), "connections", "" + connections),
                    "bytes/connection",
                    mine.sum(),
                    peer.label(),
                    theirs.sum(),
                    new Ratio(mine.sum() / theirs.sum(), Double.NaN, Double.NaN)));
          }
        }));
    return rows;
  }
}
