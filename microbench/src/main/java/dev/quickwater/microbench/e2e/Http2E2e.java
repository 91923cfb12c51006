package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.microbench.e2e.server.http2.Answers;
import dev.quickwater.microbench.report.Environment;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// `qw bench e2e --http2`: whole servers under the load of h2load, one after another, by the rules
/// of [E2e].
///
/// Each load is CONNECTIONSxSTREAMS: h2load keeps as many requests in flight on each connection.
/// Before each load one request is checked, and a run in which any request fails is an error.
final class Http2E2e {

  private static final int SERVER_CORE = 0;
  private static final int CLIENT_CORE = 1;
  private static final Http2Load WARM_UP = new Http2Load(16, 32, false);

  private final Http2Options options;
  private final Path scratch;
  private final Path files;
  private final H2load h2load = new H2load(CLIENT_CORE);
  private final Results<Http2Variant, Http2Load, Http2Sample> results = new Results<>();
  private int done;

  private Http2E2e(Http2Options options, Path scratch) throws IOException {
    this.options = options;
    this.scratch = scratch;
    files = Files.createDirectory(scratch.resolve("files"));
    Files.write(files.resolve(Plaintext.PATH.substring(1)), Answers.small());
    Files.write(files.resolve(Answers.LARGE_PATH.substring(1)), Answers.large());
  }

  /// Runs the command with its arguments.
  static void run(List<String> args) throws IOException, InterruptedException {
    Http2Options options = Http2Options.parse(args);
    Report.check(options.files());
    Tools.require("h2load", "curl", "taskset");
    for (Http2Variant variant : options.variants()) {
      if (!variant.jvm()) {
        Tools.require(variant.label());
      }
    }
    if (Runtime.getRuntime().availableProcessors() < 2) {
      throw new UsageException("two cores are needed, one for the server and one for h2load");
    }
    try (Scratch scratch = Scratch.create()) {
      new Http2E2e(options, scratch.folder()).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    Environment environment = Environment.here(Layout.find().home());
    progress(
        "%d variants, %d rounds, loads %s, %d s each after %d s of warm-up: about %d s",
        options.variants().size(),
        options.rounds(),
        options.loads().stream().map(Http2Load::label).toList(),
        options.seconds(),
        options.warmup(),
        options.totalSeconds());
    List<Http2Variant> order = new ArrayList<>(options.variants());
    for (int round = 1; round <= options.rounds(); round++) {
      for (Http2Variant variant : order) {
        measure(variant, round);
      }
      Collections.rotate(order, -1);
    }
    print(environment);
  }

  private void measure(Http2Variant variant, int round) throws IOException, InterruptedException {
    try (ServerProcess server = variant.start(SERVER_CORE, files, options.jvmFlags())) {
      if (round == 1) {
        progress("%s: %s", variant.label(), server.line());
      }
      warmUp(server);
      for (Http2Load load : options.loads()) {
        Http2Check.verify(server, load, variant.jvm(), scratch);
        Http2Sample sample = measure(server, load);
        results.add(variant, load, sample);
        progress(
            "[%d/%d] round %d %s %s: %s us CPU/request, %s requests/s",
            ++done,
            options.variants().size() * options.rounds() * options.loads().size(),
            round,
            variant.label(),
            load.label(),
            Figures.number(sample.cpu()),
            Figures.number(sample.perSecond()));
      }
    } catch (IOException e) {
      throw new IOException(variant.label() + ": " + e.getMessage(), e);
    }
  }

  /// Compiles the server under a load that makes the most of the time, so that the first measured
  /// load is not the one that pays for it.
  private void warmUp(ServerProcess server) throws IOException, InterruptedException {
    if (options.warmup() > 0) {
      var _ = h2load.run(server, WARM_UP, 2 * options.warmup());
    }
  }

  private Http2Sample measure(ServerProcess server, Http2Load load)
      throws IOException, InterruptedException {
    if (options.warmup() > 0) {
      var _ = h2load.run(server, load, options.warmup());
    }
    CpuTime before = CpuTime.of(server.pid());
    String output = h2load.run(server, load, options.seconds());
    double micros = CpuTime.of(server.pid()).microsSince(before);
    return Http2Sample.parse(output, load.body().length, micros);
  }

  private void print(Environment environment) throws IOException {
    Http2Report report = new Http2Report(options, results);
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    System.out.println(
        "HTTP/2 with prior knowledge, one loop, medians of "
            + options.rounds()
            + " rounds of "
            + options.seconds()
            + " s; JVM flags for all: "
            + (options.jvmFlags().isEmpty() ? "none" : String.join(" ", options.jvmFlags())));
    for (Http2Load load : options.loads()) {
      System.out.println();
      System.out.print(report.table(load));
    }
    System.out.println();
    System.out.println(
        "* the best Netty variant. CPU/netty: below 1 is less processor time than the best Netty"
            + " variant; 95 % interval in brackets.");
    new Report("Quickwater end to end, HTTP/2", environment, report.rows()).write(options.files());
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void progress(String format, Object... args) {
    System.err.println(String.format(Locale.ROOT, format, args));
  }
}
