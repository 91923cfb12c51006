package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.report.Report;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What `qw bench clients` measures and for how long.
record ClientsOptions(
    boolean http2,
    List<ClientVariant> variants,
    List<Http2Load> loads,
    int rounds,
    int seconds,
    int warmup,
    List<String> jvmFlags,
    Options files) {

  private static final List<Http2Load> HTTP1_LOADS = List.of(new Http2Load(64, 1, false));

  static ClientsOptions parse(List<String> args) {
    Set<String> valued =
        new HashSet<>(
            List.of("--variants", "--loads", "--rounds", "--seconds", "--warmup", "--jvm-flags"));
    valued.addAll(Report.OPTIONS);
    Options options = Options.parse(args, valued, Set.of(Http2Options.FLAG, "--quick", "--full"));
    options.noWords();
    boolean quick = options.has("--quick");
    boolean full = options.has("--full");
    boolean http2 = options.has(Http2Options.FLAG);
    return new ClientsOptions(
        http2,
        options
            .list("--variants")
            .map(labels -> labels.stream().map(ClientVariant::of).toList())
            .orElse(
                Arrays.stream(ClientVariant.values())
                    .filter(variant -> variant.speaks(http2))
                    .toList()),
        options
            .list("--loads")
            .map(labels -> labels.stream().map(Http2Load::of).toList())
            .orElse(http2 ? Http2Load.DEFAULT : HTTP1_LOADS),
        options.number("--rounds", full ? 7 : 3, 1),
        options.number("--seconds", quick ? 2 : full ? 10 : 5, 1),
        options.number("--warmup", quick ? 5 : 15, 0),
        options.value("--jvm-flags").map(text -> List.of(text.split(" ", -1))).orElse(List.of()),
        options);
  }

  ClientsOptions {
    for (ClientVariant variant : variants) {
      if (!variant.speaks(http2)) {
        throw new UsageException(
            variant.label() + (http2 ? " speaks no HTTP/2 here" : " is measured with --http2"));
      }
    }
    for (Http2Load load : loads) {
      if (!http2 && load.streams() > 1) {
        throw new UsageException(
            "load "
                + load.label()
                + " has several requests in flight on a connection; HTTP/1.1"
                + " has one, expected CONNECTIONSx1");
      }
    }
  }

  /// About how long it takes.
  int totalSeconds() {
    return variants.size() * rounds * loads.size() * (seconds + warmup + 1);
  }
}
