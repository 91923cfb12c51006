package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.report.Environment;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// `qw bench e2e`: whole servers under the load of wrk, one after another.
///
/// - The server has one core, wrk the other; only one server is alive at a time.
/// - Every round starts every variant afresh, in an order that rotates from round to round, so that
///   a machine that slows down hits all of them; ratios are formed within a round
///   ([dev.quickwater.microbench.report.Ratio#paired]).
/// - The figure to steer by is the server's processor time for a request, taken over the measured
///   window alone. Throughput shows less: at depth 256 wrk is the slower side.
public final class E2e {

  private static final int SERVER_CORE = 0;
  private static final int CLIENT_CORE = 1;

  private final E2eOptions options;
  private final Layout layout;
  private final Results<Variant, Integer, Sample> results = new Results<>();
  private final Map<Variant, Integer> lengths = new HashMap<>();
  private final Path bareC;
  private final Wrk wrk;
  private int done;

  private E2e(E2eOptions options, Path folder) throws IOException, InterruptedException {
    this.options = options;
    wrk = new Wrk(folder, CLIENT_CORE);
    layout = layout(folder);
    bareC =
        options.variants().contains(Variant.BARE_C)
            ? BareC.compile(layout, folder)
            : folder.resolve("not-compiled");
  }

  private Layout layout(Path folder) throws IOException, InterruptedException {
    Layout here = Layout.find();
    if (options.against().isEmpty()) {
      return here;
    }
    String commit = options.against().get();
    progress("building %s", commit);
    return new Layout(here.home(), Optional.of(EarlierBuild.of(here, commit, folder)));
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    if (args.contains(Http2Options.FLAG)) {
      Http2E2e.run(args);
      return;
    }
    if (args.contains(TlsOptions.FLAG)) {
      TlsE2e.run(args);
      return;
    }
    E2eOptions options = E2eOptions.parse(args);
    Report.check(options.files());
    Tools.require("wrk", "taskset");
    if (options.variants().contains(Variant.BARE_C)) {
      Tools.require("cc");
    }
    if (Runtime.getRuntime().availableProcessors() < 2) {
      throw new UsageException("two cores are needed, one for the server and one for wrk");
    }
    try (Scratch scratch = Scratch.create()) {
      new E2e(options, scratch.folder()).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    Environment environment = Environment.here(layout.home());
    progress(
        "%d variants, %d rounds, depths %s, %d connections, %d s each after %d s of warm-up: about"
            + " %d s",
        options.variants().size(),
        options.rounds(),
        options.depths(),
        Wrk.CONNECTIONS,
        options.seconds(),
        options.warmup(),
        options.totalSeconds());
    List<Variant> order = new ArrayList<>(options.variants());
    for (int round = 1; round <= options.rounds(); round++) {
      for (Variant variant : order) {
        measure(variant, round);
      }
      Collections.rotate(order, -1);
    }
    print(environment);
  }

  private void measure(Variant variant, int round) throws IOException, InterruptedException {
    try (ServerProcess server =
        ServerProcess.pinned(SERVER_CORE, variant.command(layout, bareC, options.jvmFlags()))) {
      lengths.put(variant, PlainCheck.verify(server.address()));
      if (round == 1) {
        progress("%s: %s", variant.label(), server.line());
      }
      for (int depth : options.depths()) {
        Sample sample = measure(server, depth);
        results.add(variant, depth, sample);
        progress(
            "[%d/%d] round %d %s depth %d: %s us CPU/request, %s requests/s",
            ++done,
            options.variants().size() * options.rounds() * options.depths().size(),
            round,
            variant.label(),
            depth,
            Figures.number(sample.cpu()),
            Figures.number(sample.load().perSecond()));
      }
    } catch (IOException e) {
      throw new IOException(variant.label() + ": " + e.getMessage(), e);
    }
  }

  private Sample measure(ServerProcess server, int depth) throws IOException, InterruptedException {
    String url = server.url("/plaintext");
    if (options.warmup() > 0) {
      var _ = wrk.run(url, depth, options.warmup());
    }
    CpuTime before = CpuTime.of(server.pid());
    Load load = wrk.run(url, depth, options.seconds());
    double micros = CpuTime.of(server.pid()).microsSince(before);
    return new Sample(load, micros / load.requests());
  }

  private void print(Environment environment) throws IOException {
    E2eReport report = new E2eReport(options, results);
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    System.out.println(
        "GET /plaintext, "
            + Wrk.CONNECTIONS
            + " connections, one loop, medians of "
            + options.rounds()
            + " rounds of "
            + options.seconds()
            + " s; JVM flags for all: "
            + (options.jvmFlags().isEmpty() ? "none" : String.join(" ", options.jvmFlags())));
    for (int depth : options.depths()) {
      System.out.println();
      System.out.print(report.table(depth));
    }
    System.out.println();
    System.out.println(
        "* the best Netty variant. CPU/netty, CPU/bare and CPU/earlier: below 1 is less processor time than the"
            + " other; 95 % interval in brackets. p50 and p99 are those of a whole pipelined"
            + " batch.");
    if (new TreeSet<>(lengths.values()).size() > 1) {
      System.out.println("NOT COMPARABLE, the answers differ in length: " + lengths);
    }
    new Report("Quickwater end to end", environment, report.rows()).write(options.files());
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void progress(String format, Object... args) {
    System.err.println(String.format(java.util.Locale.ROOT, format, args));
  }
}
