package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.report.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All samples, by variant and depth; sample number `r` of each is from round `r`, so they can be
/// paired.
final class Results {

  private final Map<Variant, Map<Integer, List<Sample>>> samples = new EnumMap<>(Variant.class);

  void add(Variant variant, int depth, Sample sample) {
    samples
        .computeIfAbsent(variant, _ -> new HashMap<>())
        .computeIfAbsent(depth, _ -> new ArrayList<>())
        .add(sample);
  }

  boolean has(Variant variant) {
    return samples.containsKey(variant);
  }

  double median(Variant variant, int depth, Measure measure) {
    return Ratio.median(values(variant, depth, measure));
  }

  /// `a` by `b`, round by round.
  Ratio ratio(Variant a, Variant b, int depth, Measure measure) {
    return Ratio.paired(values(a, depth, measure), values(b, depth, measure));
  }

  /// The Netty variant that needs the least processor time at this depth.
  Optional<Variant> bestNetty(int depth) {
    return samples.keySet().stream()
        .filter(Variant::netty)
        .min(Comparator.comparingDouble(variant -> median(variant, depth, Measure.CPU)));
  }

  private double[] values(Variant variant, int depth, Measure measure) {
    return samples.getOrDefault(variant, Map.of()).getOrDefault(depth, List.of()).stream()
        .mapToDouble(measure::of)
        .toArray();
  }
}
