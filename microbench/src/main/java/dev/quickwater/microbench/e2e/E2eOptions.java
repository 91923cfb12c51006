package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Report;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What `qw bench e2e` measures and for how long.
record E2eOptions(
    List<Variant> variants,
    List<Integer> depths,
    int rounds,
    int seconds,
    int warmup,
    List<String> jvmFlags,
    Optional<String> against,
    Options files) {

  private static final List<Integer> DEPTHS = List.of(1, 16, 256);

  static E2eOptions parse(List<String> args) {
    Set<String> valued =
        new HashSet<>(
            List.of(
                "--variants",
                "--depths",
                "--rounds",
                "--seconds",
                "--warmup",
                "--jvm-flags",
                "--against"));
    valued.addAll(Report.OPTIONS);
    Options options = Options.parse(args, valued, Set.of("--quick", "--full"));
    options.noWords();
    boolean quick = options.has("--quick");
    boolean full = options.has("--full");
    return new E2eOptions(
        variants(options),
        options.numbers("--depths", DEPTHS),
        options.number("--rounds", full ? 7 : 3, 1),
        options.number("--seconds", quick ? 2 : full ? 10 : 5, 1),
        options.number("--warmup", quick ? 2 : full ? 10 : 5, 0),
        options.value("--jvm-flags").map(text -> List.of(text.split(" ", -1))).orElse(List.of()),
        options.value("--against"),
        options);
  }

  /// The requested variants, or all. The earlier build takes part when its commit is given.
  private static List<Variant> variants(Options options) {
    List<Variant> variants =
        new ArrayList<>(
            options
                .list("--variants")
                .map(labels -> labels.stream().map(Variant::of).toList())
                .orElse(List.of(Variant.values())));
    variants.remove(Variant.QUICKWATER_EARLIER);
    if (options.has("--against")) {
      variants.addFirst(Variant.QUICKWATER_EARLIER);
    }
    return List.copyOf(variants);
  }

  /// About how long it takes.
  int totalSeconds() {
    return variants.size() * rounds * (depths.size() * (seconds + warmup) + 1);
  }
}
