package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.report.Environment;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `qw bench e2e --tls`: whole servers with TLS 1.3 under the load of h2load, one after another, by
/// the rules of [E2e]. The certificate has an ECDSA key on P-256.
///
/// Each load has a fresh server, because the code that a load uses decides what the compiler makes
/// of it.
final class TlsE2e {

  private static final int SERVER_CORE = 0;
  private static final int CLIENT_CORE = 1;

  /// The part of a slice below which the compilers count as idle. After the warm-up, load continues
  /// in slices until the compilers are idle, for at most [#MAX_SLICES].
  private static final double IDLE_COMPILER = 0.02;

  private static final int SLICE_SECONDS = 2;
  private static final int MAX_SLICES = 15;

  private final TlsOptions options;
  private final Path scratch;
  private final TlsCertificate certificate;
  private final Results<TlsVariant, TlsLoad, Http2Sample> results = new Results<>();
  private int done;

  private TlsE2e(TlsOptions options, Path scratch) throws IOException, InterruptedException {
    this.options = options;
    this.scratch = scratch;
    certificate = TlsCertificate.in(scratch);
  }

  /// Runs the command with its arguments.
  static void run(List<String> args) throws IOException, InterruptedException {
    TlsOptions options = TlsOptions.parse(args);
    Report.check(options.files());
    Tools.require("h2load", "curl", "taskset", "openssl");
    if (Runtime.getRuntime().availableProcessors() < 2) {
      throw new UsageException("two cores are needed, one for the server and one for h2load");
    }
    try (Scratch scratch = Scratch.create()) {
      new TlsE2e(options, scratch.folder()).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    Environment environment = Environment.here(Layout.find().home());
    progress(
        "%d variants, %d rounds, loads %s, %d s each after at least %d s of warm-up: at least %d s",
        options.variants().size(),
        options.rounds(),
        options.loads().stream().map(TlsLoad::label).toList(),
        options.seconds(),
        2 * options.warmup(),
        options.totalSeconds());
    List<TlsVariant> order = new ArrayList<>(options.variants());
    for (int round = 1; round <= options.rounds(); round++) {
      for (TlsLoad load : options.loads()) {
        for (TlsVariant variant : order) {
          measure(variant, load, round);
        }
      }
      Collections.rotate(order, -1);
    }
    print(environment);
  }

  private void measure(TlsVariant variant, TlsLoad load, int round)
      throws IOException, InterruptedException {
    try (ServerProcess server = variant.start(SERVER_CORE, certificate, options, load)) {
      if (round == 1) {
        progress("%s: %s", variant.label(), server.line());
      }
      verify(server, load);
      if (options.warmup() > 0) {
        var _ = h2load(server, load, 2 * options.warmup());
        awaitCompilers(server, load);
      }
      CpuTime before = CpuTime.of(server.pid());
      String output = h2load(server, load, options.seconds());
      double micros = CpuTime.of(server.pid()).microsSince(before);
      if (!output.contains("Cipher: " + TlsVariant.SUITE)) {
        throw new IOException("h2load used another cipher suite:\n" + output);
      }
      Http2Sample sample = Http2Sample.parse(output, load.body().length, micros);
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
    } catch (IOException e) {
      throw new IOException(variant.label() + ": " + e.getMessage(), e);
    }
  }

  private void awaitCompilers(ServerProcess server, TlsLoad load)
      throws IOException, InterruptedException {
    long idle = (long) (SLICE_SECONDS * IDLE_COMPILER * 1e9);
    for (int i = 0; i < MAX_SLICES; i++) {
      long before = CompilerTime.nanos(server.pid());
      var _ = h2load(server, load, SLICE_SECONDS);
      if (CompilerTime.nanos(server.pid()) - before < idle) {
        return;
      }
    }
    progress("the compilers of the server still work");
  }

  /// One request by curl: a server that answers something else is not measured.
  private void verify(ServerProcess server, TlsLoad load) throws IOException, InterruptedException {
    Path body = scratch.resolve("checked");
    String head =
        Tools.output(
            List.of(
                "curl",
                "-sS",
                "--max-time",
                "10",
                "--cacert",
                certificate.chain().toString(),
                load.isHttp2() ? "--http2" : "--http1.1",
                "--connect-to",
                "localhost:443:"
                    + server.address().getHostString()
                    + ":"
                    + server.address().getPort(),
                "-D",
                "-",
                "-o",
                body.toString(),
                "https://localhost" + load.path()));
    String version = load.isHttp2() ? "HTTP/2 200" : "HTTP/1.1 200";
    String lower = head.toLowerCase(Locale.ROOT);
    if (!head.startsWith(version)
        || !lower.contains("\r\ncontent-length: " + load.body().length + "\r\n")
        || !lower.contains("\r\nserver: quickwater\r\n")
        || !lower.contains("\r\ndate: ")
        || !Arrays.equals(load.body(), Files.readAllBytes(body))) {
      throw new IOException("the server answered " + load.path() + " with '" + head.strip() + "'");
    }
  }

  private static String h2load(ServerProcess server, TlsLoad load, int seconds)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("taskset", "-c", String.valueOf(CLIENT_CORE), "h2load", "-t1"));
    command.addAll(load.options());
    command.add("--tls13-ciphers=" + TlsVariant.SUITE);
    command.add("-D" + seconds);
    command.add(
        "https://"
            + server.address().getHostString()
            + ":"
            + server.address().getPort()
            + load.path());
    return Tools.output(command);
  }

  private void print(Environment environment) throws IOException {
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    System.out.println(
        "TLS 1.3, "
            + TlsVariant.SUITE
            + ", one loop, medians of "
            + options.rounds()
            + " rounds of "
            + options.seconds()
            + " s; JVM flags for all: "
            + (options.jvmFlags().isEmpty() ? "none" : String.join(" ", options.jvmFlags())));
    for (TlsLoad load : options.loads()) {
      System.out.println();
      System.out.print(table(load));
    }
    System.out.println();
    System.out.println(
        "* the best Netty variant. CPU/netty: below 1 is less processor time than the best Netty"
            + " variant; 95 % interval in brackets.");
    new Report("Quickwater end to end, TLS", environment, rows()).write(options.files());
  }

  private String table(TlsLoad load) {
    return H2loadTable.of(
        load.label(), options.variants(), TlsVariant::label, TlsVariant::netty, results, load);
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (TlsVariant ours : options.variants()) {
      for (TlsVariant peer : options.variants()) {
        if (!ours.netty() && peer.netty()) {
          for (TlsLoad load : options.loads()) {
            rows.add(row(ours, peer, load));
          }
        }
      }
    }
    return rows;
  }

  private Row row(TlsVariant ours, TlsVariant peer, TlsLoad load) {
    Ratio ratio = results.ratio(ours, peer, load, Http2Measure.CPU);
    return Row.lessIsBetter(
        "e2e.tls.cpu",
        Map.of("load", load.label(), "variant", ours.label()),
        Http2Measure.CPU.unit,
        results.median(ours, load, Http2Measure.CPU),
        peer.label(),
        results.median(peer, load, Http2Measure.CPU),
        ratio);
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void progress(String format, Object... args) {
    System.err.println(String.format(Locale.ROOT, format, args));
  }
}
