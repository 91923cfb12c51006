package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Environment;
import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Report;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `qw bench handshakes`: processor time of a TLS 1.3 handshake in memory, client and server
/// together, with an ECDSA key on P-256. Each run is a process on one core.
///
/// The program in C is the limit of everything that uses the same OpenSSL.
public final class Handshakes {

  private static final int CORE = 0;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final String LOOPS = "dev.quickwater.microbench.tls.";
  private static final Pattern LINE =
      Pattern.compile("handshakes=(\\d+) cpu=([\\d.]+) resumed=(\\d+) library=(.*)");

  /// Who makes the handshakes.
  private enum Variant {
    C,
    QUICKWATER_OPENSSL,
    QUICKWATER_JDK,
    NETTY_OPENSSL;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Variant of(String label) {
      return Labels.find(values(), Variant::label, "variant", label);
    }

    boolean makes(Kind kind) {
      return this != NETTY_OPENSSL || kind == Kind.FULL;
    }
  }

  /// Whether handshakes resume an earlier session.
  private enum Kind {
    FULL,
    RESUMED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final int rounds;
  private final int seconds;
  private final int warmup;
  private final List<Variant> variants;
  private final Optional<String> libssl;
  private final Options files;
  private final TlsCertificate certificate;
  private final Path program;
  private final Results<Variant, Kind, Double> results = new Results<>();

  private Handshakes(Options options, Path scratch) throws IOException, InterruptedException {
    boolean quick = options.has("--quick");
    rounds = options.number("--rounds", options.has("--full") ? 7 : 3, 1);
    seconds = options.number("--seconds", quick ? 2 : 5, 1);
    warmup = options.number("--warmup", quick ? 5 : 15, 0);
    variants =
        options
            .list("--variants")
            .map(labels -> labels.stream().map(Variant::of).toList())
            .orElse(List.of(Variant.values()));
    libssl = options.value("--libssl");
    files = options;
    certificate = TlsCertificate.in(scratch);
    program = scratch.resolve("handshakes");
    var _ =
        Tools.output(
            List.of(
                "cc",
                "-O2",
                "-o",
                program.toString(),
                Layout.find().home().resolve("microbench/src/main/c/handshakes.c").toString(),
                "-lssl",
                "-lcrypto"));
  }

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Set<String> valued =
        new HashSet<>(List.of("--variants", "--rounds", "--seconds", "--warmup", "--libssl"));
    valued.addAll(Report.OPTIONS);
    Options options = Options.parse(args, valued, Set.of("--quick", "--full"));
    options.noWords();
    Report.check(options);
    Tools.require("cc", "openssl", "taskset");
    try (Scratch scratch = Scratch.create()) {
      new Handshakes(options, scratch.folder()).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    Environment environment = Environment.here(Layout.find().home());
    List<Variant> order = new ArrayList<>(variants);
    for (int round = 1; round <= rounds; round++) {
      for (Kind kind : Kind.values()) {
        for (Variant variant : order) {
          if (variant.makes(kind)) {
            measure(variant, kind, round);
          }
        }
      }
      Collections.rotate(order, -1);
    }
    System.out.println(environment.machine());
    System.out.println(environment.jdk() + ", commit " + environment.commit());
    for (Kind kind : Kind.values()) {
      System.out.println();
      System.out.print(table(kind));
    }
    System.out.println();
    System.out.println(
        "an idle connection of a server in C, bytes: " + Tools.output(inC("idle")).strip());
    new Report("TLS handshakes", environment, rows()).write(files);
  }

  private void measure(Variant variant, Kind kind, int round)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", String.valueOf(CORE)));
    command.addAll(command(variant, kind));
    String output = Tools.output(command);
    Matcher matcher = LINE.matcher(output);
    if (!matcher.find()) {
      throw new IOException(variant.label() + " reported nothing:\n" + output);
    }
    long made = Long.parseLong(matcher.group(1));
    long resumed = Long.parseLong(matcher.group(3));
    if (kind == Kind.FULL ? resumed > 0 : resumed < made - 1) {
      throw new IOException(
          variant.label() + " resumed " + resumed + " of " + made + " " + kind.label());
    }
    double micros = Double.parseDouble(matcher.group(2)) * MICROS_PER_SECOND / made;
    results.add(variant, kind, micros);
    System.err.println(
        "round "
            + round
            + " "
            + variant.label()
            + " "
            + kind.label()
            + ": "
            + Figures.number(micros)
            + " us CPU, "
            + matcher.group(4));
  }

  private List<String> command(Variant variant, Kind kind) {
    if (variant == Variant.C) {
      return inC(kind.label());
    }
    List<String> command = new ArrayList<>();
    command.add(Layout.java());
    command.add("--enable-native-access=ALL-UNNAMED");
    if (variant == Variant.NETTY_OPENSSL) {
      command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false"));
    } else {
      libssl.ifPresent(path -> command.add("-Ddev.quickwater.tls.library=" + path));
    }
    command.addAll(List.of("-cp", Layout.classPath()));
    if (variant == Variant.NETTY_OPENSSL) {
      command.add(LOOPS + "NettyHandshakes");
    } else {
      command.add(LOOPS + "QuickwaterHandshakes");
      command.add(variant == Variant.QUICKWATER_JDK ? "jdk" : "openssl");
      command.add(kind.label());
    }
    command.addAll(List.of(String.valueOf(warmup), String.valueOf(seconds)));
    return command;
  }

  private List<String> inC(String what) {
    return List.of(
        program.toString(),
        certificate.chain().toString(),
        certificate.key().toString(),
        what,
        String.valueOf(seconds));
  }

  private String table(Kind kind) {
    Table table = new Table(kind.label(), "CPU us", "per CPU second", "CPU/C");
    for (Variant variant : variants) {
      if (variant.makes(kind)) {
        double micros = results.median(variant, kind, Double::doubleValue);
        table.add(
            variant.label(),
            Figures.number(micros),
            Figures.number(MICROS_PER_SECOND / micros),
            variant != Variant.C && variants.contains(Variant.C)
                ? Figures.ratio(results.ratio(variant, Variant.C, kind, Double::doubleValue))
                : "-");
      }
    }
    return table.toString();
  }

  private List<Row> rows() {
    if (!variants.contains(Variant.C)) {
      return List.of();
    }
    return Arrays.stream(Kind.values())
        .flatMap(kind ->
            variants.stream()
                .filter(variant -> variant != Variant.C && variant.makes(kind))
                .map(variant -> row(variant, kind)))
        .toList();
  }

  private Row row(Variant variant, Kind kind) {
    return Row.lessIsBetter(
        "handshake.cpu",
        Map.of("kind", kind.label(), "variant", variant.label()),
        "us",
        results.median(variant, kind, Double::doubleValue),
        Variant.C.label(),
        results.median(Variant.C, kind, Double::doubleValue),
        results.ratio(variant, Variant.C, kind, Double::doubleValue));
  }
}
