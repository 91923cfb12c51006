package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Report;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What `qw bench e2e --tls` measures and for how long.
record TlsOptions(
    List<TlsVariant> variants,
    List<TlsLoad> loads,
    int rounds,
    int seconds,
    int warmup,
    List<String> jvmFlags,
    Optional<String> libssl,
    Options files) {

  static final String FLAG = "--tls";

  static TlsOptions parse(List<String> args) {
    Set<String> valued =
        new HashSet<>(
            List.of(
                "--variants",
                "--loads",
                "--rounds",
                "--seconds",
                "--warmup",
                "--jvm-flags",
                "--libssl"));
    valued.addAll(Report.OPTIONS);
    Options options = Options.parse(args, valued, Set.of(FLAG, "--quick", "--full"));
    options.noWords();
    boolean quick = options.has("--quick");
    boolean full = options.has("--full");
    return new TlsOptions(
        options
            .list("--variants")
            .map(labels -> labels.stream().map(TlsVariant::of).toList())
            .orElse(List.of(TlsVariant.values())),
        options
            .list("--loads")
            .map(labels -> labels.stream().map(TlsLoad::of).toList())
            .orElse(List.of(TlsLoad.values())),
        options.number("--rounds", full ? 7 : 3, 1),
        options.number("--seconds", quick ? 2 : full ? 10 : 5, 1),
        options.number("--warmup", quick ? 2 : full ? 10 : 5, 0),
        options.value("--jvm-flags").map(text -> List.of(text.split(" ", -1))).orElse(List.of()),
        options.value("--libssl"),
        options);
  }

  /// The minimum duration of the run. The wait for the compilers adds up to 30 s to each warm-up.
  int totalSeconds() {
    return variants.size() * rounds * loads.size() * (seconds + 2 * warmup + 3);
  }
}
