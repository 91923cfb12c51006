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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// `qw bench idle`: memory for each connection that has served one request and is idle.
///
/// The figure is a slope: the memory at `MANY` connections minus the memory at `FEW`, divided by
/// the difference of the counts. A figure for a single count would include memory that belongs to
/// no connection: classes that the first requests load, the start of the JVM, slabs and caches of
/// the allocator. Both counts of a round are therefore measured in one process, after [#WARM_UP]
/// requests, each on a new connection.
///
/// - **Heap** is the memory that is live after a full collection.
/// - **Outside** is the growth of resident memory. The heap has a fixed size and is touched at
///   start, so resident memory grows by native memory alone.
/// - **The servers are interpreted**, with `--tls` compiled by C1 alone. While the code becomes
///   hot, the compilers take tens of megabytes at times that differ from run to run: up to 26 MB
///   between the two counts were measured, 7 kB for each connection. The memory of a connection
///   does not depend on whether the code was compiled.
/// - Kernel memory of the socket is in neither figure, and equal for all servers.
/// - Each round restarts each server. The figures are medians of the rounds, with the lowest and
///   the highest.
///
/// The default counts are a factor of four apart. Tables that double in size are equally full at
/// both, so the slope includes their average growth.
public final class Idle {

  private static final List<Integer> CONNECTIONS = List.of(1_250, 5_000);
  private static final int ROUNDS = 3;
  private static final int WARM_UP = 1_000;

  /// The heap is large enough for 20,000 connections of any variant.
  private static final List<String> FLAGS =
      List.of("-Xint", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

  /// Interpreted cryptography takes too long, so these servers are compiled by C1 alone.
  private static final List<String> TLS_FLAGS =
      List.of("-XX:TieredStopAtLevel=1", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private static final List<TlsVariant> TLS_VARIANTS =
      List.of(
          TlsVariant.QUICKWATER_OPENSSL,
          TlsVariant.QUICKWATER_JDK,
          TlsVariant.NETTY_OPENSSL,
          TlsVariant.NETTY_JDK);

  private static final List<Variant> VARIANTS =
      List.of(
          Variant.QUICKWATER_EPOLL,
          Variant.QUICKWATER_NIO,
          Variant.QUICKWATER_LIBRARY,
          Variant.NETTY_NIO,
          Variant.NETTY_EPOLL,
          Variant.NETTY_IO_URING);

  /// The two counts of connections between which the slope is taken.
  private record Counts(int few, int many) {

    static Counts of(Options options) {
      List<Integer> counts = options.numbers("--connections", CONNECTIONS);
      if (counts.size() != 2 || counts.getFirst() >= counts.getLast()) {
        throw new UsageException(
            "--connections is "
                + counts
                + ", expected two counts, the smaller first, such as 1250,5000");
      }
      return new Counts(counts.getFirst(), counts.getLast());
    }
  }

  /// Bytes for each further connection in one round.
  private record Slope(double heap, double outside) {

    static Slope between(Resident few, Resident many, int connections) {
      return new Slope(
          (double) (many.liveHeap() - few.liveHeap()) / connections,
          (double) (many.resident() - few.resident()) / connections);
    }

    double sum() {
      return heap + outside;
    }
  }

  private Idle() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Set<String> valued = new HashSet<>(Report.OPTIONS);
    valued.addAll(List.of("--connections", "--rounds", "--variants"));
    Options options = Options.parse(args, valued, Set.of(TlsOptions.FLAG));
    options.noWords();
    Report.check(options);
    Counts counts = Counts.of(options);
    int rounds = options.number("--rounds", ROUNDS, 1);
    try (Scratch scratch = Scratch.create()) {
      boolean tls = options.has(TlsOptions.FLAG);
      List<IdleServer> servers = tls ? overTls(options, scratch.folder()) : plain(options);
      run(servers, tls ? TLS_FLAGS : FLAGS, counts, rounds, options);
    }
  }

  private static List<IdleServer> plain(Options options) {
    return Variant.jvms(options.list("--variants"), VARIANTS).stream()
        .<IdleServer>map(IdleServer.Plain::new)
        .toList();
  }

  private static List<IdleServer> overTls(Options options, Path folder)
      throws IOException, InterruptedException {
    Tools.require("openssl");
    TlsCertificate certificate = TlsCertificate.in(folder);
    return options
        .list("--variants")
        .map(labels -> labels.stream().map(TlsVariant::of).toList())
        .orElse(TLS_VARIANTS)
        .stream()
        .<IdleServer>map(variant -> new IdleTls(variant, certificate))
        .toList();
  }

  private static void run(
      List<IdleServer> servers, List<String> flags, Counts counts, int rounds, Options options)
      throws IOException, InterruptedException {
    Map<IdleServer, List<Slope>> results = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (IdleServer server : servers) {
        System.err.println("round " + round + " of " + rounds + ": " + server.label());
        results.computeIfAbsent(server, _ -> new ArrayList<>()).add(measure(server, flags, counts));
      }
    }
    System.out.print(table(results, counts));
    Report.of("Idle connections", rows(results, counts)).write(options);
  }

  private static Slope measure(IdleServer subject, List<String> flags, Counts counts)
      throws IOException, InterruptedException {
    List<Socket> sockets = new ArrayList<>();
    try (ServerProcess server = subject.start(flags)) {
      for (int i = 0; i < WARM_UP; i++) {
        subject.connect(server.address()).close();
      }
      // The first histogram loads classes that are used by nothing else.
      var _ = Resident.afterCollection(server.pid());
      open(subject, server, sockets, counts.few());
      Resident few = Resident.afterCollection(server.pid());
      open(subject, server, sockets, counts.many());
      Resident many = Resident.afterCollection(server.pid());
      return Slope.between(few, many, counts.many() - counts.few());
    } catch (java.net.SocketException e) {
      throw new UsageException(
          "stopped at " + sockets.size() + " connections, see ulimit -n: " + e.getMessage());
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /// Opens connections until there are `count`.
  private static void open(
      IdleServer subject, ServerProcess server, List<Socket> sockets, int count)
      throws IOException {
    while (sockets.size() < count) {
      sockets.add(subject.connect(server.address()));
    }
  }

  private static Table table(Map<IdleServer, List<Slope>> results, Counts counts) {
    Table table =
        new Table(
            "bytes per idle connection, " + counts.few() + " to " + counts.many(),
            "heap",
            "low-high",
            "outside",
            "low-high",
            "sum");
    results.forEach((variant, slopes) ->
        table.add(
            variant.label(),
            median(slopes, Slope::heap),
            range(slopes, Slope::heap),
            median(slopes, Slope::outside),
            range(slopes, Slope::outside),
            median(slopes, Slope::sum)));
    return table;
  }

  private static double[] values(List<Slope> slopes, ToDoubleFunction<Slope> part) {
    return slopes.stream().mapToDouble(part).toArray();
  }

  private static String median(List<Slope> slopes, ToDoubleFunction<Slope> part) {
    return Figures.number(Ratio.median(values(slopes, part)));
  }

  private static String range(List<Slope> slopes, ToDoubleFunction<Slope> part) {
    var statistics = slopes.stream().mapToDouble(part).summaryStatistics();
    return Figures.number(statistics.getMin()) + " - " + Figures.number(statistics.getMax());
  }

  private static List<Row> rows(Map<IdleServer, List<Slope>> results, Counts counts) {
    List<Row> rows = new ArrayList<>();
    results.forEach((ours, mine) ->
        results.forEach((peer, theirs) -> {
          if (ours.ours() && peer.netty()) {
            rows.add(row(ours, values(mine, Slope::sum), peer, values(theirs, Slope::sum), counts));
          }
        }));
    return rows;
  }

  private static Row row(
      IdleServer ours, double[] mine, IdleServer peer, double[] theirs, Counts counts) {
    return Row.lessIsBetter(
        "idle.memory",
        Map.of("server", ours.label(), "connections", counts.few() + "-" + counts.many()),
        "bytes/connection",
        Ratio.median(mine),
        peer.label(),
        Ratio.median(theirs),
        Ratio.independent(mine, theirs));
  }
}
