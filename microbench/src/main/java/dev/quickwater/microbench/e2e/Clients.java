package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.microbench.e2e.server.http2.Answers;
import dev.quickwater.microbench.report.Environment;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// `qw bench clients`: processor time of clients for each request, one after another against one
/// server in C on the other core: nginx, and nghttpd with `--http2`.
///
/// A client keeps the requests of the load in flight. Each run has a fresh process, which checks
/// the status and the length of every response; one wrong response is an error.
public final class Clients {

  private static final int CLIENT_CORE = 0;
  private static final int SERVER_CORE = 1;

  private static final String NGINX_CONFIGURATION =
      """
      daemon off;
      worker_processes 1;
      pid FOLDER/nginx.pid;
      error_log FOLDER/error.log;
      events { worker_connections 1024; }
      http {
        access_log off;
        default_type text/plain;
        keepalive_requests 1000000000;
        open_file_cache max=10;
        tcp_nopush on;
        server {
          listen 127.0.0.1:PORT;
          root FOLDER/files;
        }
      }
      """;

  private final ClientsOptions options;
  private final Path scratch;
  private final Results<ClientVariant, Http2Load, ClientSample> results = new Results<>();
  private int done;

  private Clients(ClientsOptions options, Path scratch) {
    this.options = options;
    this.scratch = scratch;
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    ClientsOptions options = ClientsOptions.parse(args);
    Report.check(options.files());
    Tools.require(options.http2() ? "nghttpd" : "nginx", "taskset");
    if (Runtime.getRuntime().availableProcessors() < 2) {
      throw new UsageException("two cores are needed, one for the client and one for the server");
    }
    try (Scratch scratch = Scratch.create()) {
      new Clients(options, scratch.folder()).run();
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
    try (ServerProcess server = server()) {
      List<ClientVariant> order = new ArrayList<>(options.variants());
      for (int round = 1; round <= options.rounds(); round++) {
        for (Http2Load load : options.loads()) {
          for (ClientVariant variant : order) {
            measure(server, variant, load, round);
          }
        }
        Collections.rotate(order, -1);
      }
    }
    print(environment);
  }

  private ServerProcess server() throws IOException {
    Path files = Files.createDirectory(scratch.resolve("files"));
    Files.write(files.resolve(Plaintext.PATH.substring(1)), Answers.small());
    Files.write(files.resolve(Answers.LARGE_PATH.substring(1)), Answers.large());
    int port = Tools.freePort();
    List<String> command;
    if (options.http2()) {
      command =
          List.of(
              "nghttpd",
              "--no-tls",
              "-n1",
              "-a",
              "127.0.0.1",
              "-d",
              files.toString(),
              String.valueOf(port));
    } else {
      Path file = scratch.resolve("nginx.conf");
      String user = Objects.requireNonNull(System.getProperty("user.name"));
      Files.writeString(
          file,
          // nginx started by root runs as another user, who may not read the files.
          (user.equals("root") ? "user root;\n" : "")
              + NGINX_CONFIGURATION
                  .replace("PORT", String.valueOf(port))
                  .replace("FOLDER", scratch.toString()));
      command =
          List.of("nginx", "-p", scratch.toString(), "-e", "error.log", "-c", file.toString());
    }
    return ServerProcess.pinned(SERVER_CORE, command, port);
  }

  private void measure(ServerProcess server, ClientVariant variant, Http2Load load, int round)
      throws IOException, InterruptedException {
    ClientSample sample = variant.run(CLIENT_CORE, server, load, options);
    results.add(variant, load, sample);
    progress(
        "[%d/%d] round %d %s %s: %s us CPU/request, %s requests/s, %s B/request",
        ++done,
        options.variants().size() * options.rounds() * options.loads().size(),
        round,
        variant.label(),
        load.label(),
        Figures.number(sample.cpu()),
        Figures.number(sample.perSecond()),
        Figures.number(sample.allocated()));
  }

  private void print(Environment environment) throws IOException {
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    System.out.println(
        "Clients of "
            + (options.http2()
                ? "HTTP/2 with prior knowledge beside nghttpd"
                : "HTTP/1.1 beside nginx")
            + ", medians of "
            + options.rounds()
            + " rounds of "
            + options.seconds()
            + " s; JVM flags for all: "
            + (options.jvmFlags().isEmpty() ? "none" : String.join(" ", options.jvmFlags())));
    for (Http2Load load : options.loads()) {
      System.out.println();
      System.out.print(table(load));
    }
    System.out.println();
    System.out.println(
        "* the best Netty variant. CPU/netty: below 1 is less processor time than the best Netty"
            + " variant; 95 % interval in brackets.");
    new Report("Quickwater's clients", environment, rows()).write(options.files());
  }

  private String table(Http2Load load) {
    Optional<ClientVariant> netty = results.lowest(ClientVariant::netty, load, ClientSample::cpu);
    Table table = new Table(load.label(), "req/s", "B/req", "CPU us/req", "CPU/netty");
    for (ClientVariant variant : options.variants()) {
      boolean best = netty.isPresent() && netty.get() == variant;
      table.add(
          variant.label() + (best ? " *" : ""),
          Figures.number(results.median(variant, load, ClientSample::perSecond)),
          Figures.number(results.median(variant, load, ClientSample::allocated)),
          Figures.number(results.median(variant, load, ClientSample::cpu)),
          best
              ? "1"
              : netty
                  .map(peer -> Figures.ratio(results.ratio(variant, peer, load, ClientSample::cpu)))
                  .orElse("-"));
    }
    return table.toString();
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (ClientVariant ours : options.variants()) {
      for (ClientVariant peer : options.variants()) {
        if (ours.ours() && !peer.ours()) {
          for (Http2Load load : options.loads()) {
            rows.add(row(ours, peer, load));
          }
        }
      }
    }
    return rows;
  }

  private Row row(ClientVariant ours, ClientVariant peer, Http2Load load) {
    Ratio ratio = results.ratio(ours, peer, load, ClientSample::cpu);
    return Row.lessIsBetter(
        options.http2() ? "e2e.clients.http2.cpu" : "e2e.clients.cpu",
        Map.of("load", load.label(), "variant", ours.label()),
        "us/request",
        results.median(ours, load, ClientSample::cpu),
        peer.label(),
        results.median(peer, load, ClientSample::cpu),
        ratio);
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void progress(String format, Object... args) {
    System.err.println(String.format(Locale.ROOT, format, args));
  }
}
