package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Report;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What `qw bench e2e --http2` measures and for how long.
record Http2Options(
    List<Http2Variant> variants,
    List<Http2Load> loads,
    int rounds,
    int seconds,
    int warmup,
    List<String> jvmFlags,
    Options files) {

  static final String FLAG = "--http2";

  static Http2Options parse(List<String> args) {
    Set<String> valued =
        new HashSet<>(
            List.of("--variants", "--loads", "--rounds", "--seconds", "--warmup", "--jvm-flags"));
    valued.addAll(Report.OPTIONS);
    Options options = Options.parse(args, valued, Set.of(FLAG, "--quick", "--full"));
    options.noWords();
    boolean quick = options.has("--quick");
    boolean full = options.has("--full");
    return new Http2Options(
        options
            .list("--variants")
            .map(labels -> labels.stream().map(Http2Variant::of).toList())
            .orElse(List.of(Http2Variant.values())),
        options
            .list("--loads")
            .map(labels -> labels.stream().map(Http2Load::of).toList())
            .orElse(Http2Load.DEFAULT),
        options.number("--rounds", full ? 7 : 3, 1),
        options.number("--seconds", quick ? 2 : full ? 10 : 5, 1),
        options.number("--warmup", quick ? 2 : full ? 10 : 5, 0),
        options.value("--jvm-flags").map(text -> List.of(text.split(" ", -1))).orElse(List.of()),
        options);
  }

  /// About how long it takes.
  int totalSeconds() {
    return variants.size() * rounds * (loads.size() * (seconds + warmup) + 2 * warmup + 1);
  }
}
