package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// `qw bench udp`: processor time of an echo server for each datagram.
///
/// The server has one core, the load of this process the other. The load keeps a fixed number of
/// datagrams on their way, so that a faster server gets more of them and none are lost.
public final class UdpEcho {

  private static final int SERVER_CORE = 0;
  private static final int CLIENT_CORE = 1;
  private static final String SERVERS = "dev.quickwater.microbench.e2e.server.";

  /// A server under measurement.
  private enum Server {
    QUICKWATER_EPOLL("UdpEchoServer", "epoll", false),
    QUICKWATER_NIO("UdpEchoServer", "nio", false),
    NETTY_EPOLL("NettyUdpEchoServer", "epoll", false),
    NETTY_EPOLL_UNSAFE("NettyUdpEchoServer", "epoll", true),
    NETTY_NIO("NettyUdpEchoServer", "nio", false);

    final String main;
    final String transport;
    final boolean unsafe;

    Server(String main, String transport, boolean unsafe) {
      this.main = main;
      this.transport = transport;
      this.unsafe = unsafe;
    }

    boolean ours() {
      return name().startsWith("QUICKWATER");
    }

    String label() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    List<String> command() {
      List<String> command = new ArrayList<>();
      command.add(Layout.java());
      if (ours()) {
        command.add("--enable-native-access=ALL-UNNAMED");
      } else if (unsafe) {
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-Dio.netty.noUnsafe=false");
      }
      command.addAll(List.of("-cp", Layout.classPath(), SERVERS + main, transport));
      return command;
    }
  }

  /// One round of a server.
  private record Sample(double cpuMicros, double perSecond) {}

  private final int seconds;
  private final int sockets;
  private final int window;
  private final int bytes;
  private final Map<Server, List<Sample>> results = new EnumMap<>(Server.class);

  private UdpEcho(Options options) {
    seconds = options.number("--seconds", 5, 1);
    sockets = options.number("--sockets", 8, 1);
    window = options.number("--window", 16, 1);
    bytes = options.number("--bytes", 64, 0);
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Set<String> valued = new HashSet<>(Report.OPTIONS);
    valued.addAll(List.of("--seconds", "--rounds", "--sockets", "--window", "--bytes"));
    Options options = Options.parse(args, valued, Set.of());
    options.noWords();
    Report.check(options);
    Tools.require("taskset");
    OwnCore.pin(CLIENT_CORE);
    UdpEcho echo = new UdpEcho(options);
    int rounds = options.number("--rounds", 5, 1);
    List<Server> order = new ArrayList<>(List.of(Server.values()));
    for (int round = 1; round <= rounds; round++) {
      for (Server server : order) {
        System.err.println("round " + round + " of " + rounds + ": " + server.label());
        echo.measure(server);
      }
      Collections.rotate(order, -1);
    }
    System.out.print(echo.table());
    Report.of("UDP echo", echo.rows()).write(options);
  }

  private void measure(Server server) throws IOException, InterruptedException {
    try (ServerProcess process = ServerProcess.pinned(SERVER_CORE, server.command());
        UdpLoad load = new UdpLoad(process.address(), sockets, window, bytes)) {
      Thread.sleep(seconds * 1000L);
      long answersBefore = load.answers();
      CpuTime before = CpuTime.of(process.pid());
      long start = System.nanoTime();
      Thread.sleep(seconds * 1000L);
      double micros = CpuTime.of(process.pid()).microsSince(before);
      double elapsed = (System.nanoTime() - start) / 1e9;
      long answers = load.answers() - answersBefore;
      if (answers == 0) {
        throw new IOException(server.label() + " answered nothing");
      }
      results
          .computeIfAbsent(server, _ -> new ArrayList<>())
          .add(new Sample(micros / answers, answers / elapsed));
    }
  }

  private static double[] cpu(List<Sample> samples) {
    return samples.stream().mapToDouble(Sample::cpuMicros).toArray();
  }

  private Optional<Server> bestNetty() {
    return results.keySet().stream()
        .filter(server -> !server.ours())
        .min(
            java.util.Comparator.comparingDouble(
                server -> Ratio.median(cpu(results.getOrDefault(server, List.of())))));
  }

  private Table table() {
    Table table =
        new Table(
            "datagrams of " + bytes + " bytes, " + sockets + " x " + window + " on their way",
            "echoes/s",
            "CPU us/echo",
            "CPU/netty");
    Optional<Server> netty = bestNetty();
    results.forEach((server, samples) ->
        table.add(
            server.label() + (netty.equals(Optional.of(server)) ? " *" : ""),
            Figures.number(Ratio.median(samples.stream().mapToDouble(Sample::perSecond).toArray())),
            Figures.number(Ratio.median(cpu(samples))),
            netty
                .map(best -> results.getOrDefault(best, List.of()))
                .map(best -> Figures.ratio(Ratio.paired(cpu(samples), cpu(best))))
                .orElse("-")));
    return table;
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    results.forEach((ours, mine) ->
        results.forEach((peer, theirs) -> {
          if (ours.ours() && !peer.ours()) {
            rows.add(
                Row.lessIsBetter(
                    "udp.echo",
                    Map.of("server", ours.label(), "bytes", String.valueOf(bytes)),
                    "us CPU/echo",
                    Ratio.median(cpu(mine)),
                    peer.label(),
                    Ratio.median(cpu(theirs)),
                    Ratio.paired(cpu(mine), cpu(theirs))));
          }
        }));
    return rows;
  }
}
