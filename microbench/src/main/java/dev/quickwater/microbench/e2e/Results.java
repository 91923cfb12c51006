package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.report.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// All samples, by variant and load; sample number `r` of each is from round `r`, so they can be
/// paired.
///
/// @param <V> a server under measurement
/// @param <L> a kind of load
/// @param <S> what one measured run gave
final class Results<V, L, S> {

  private final Map<V, Map<L, List<S>>> samples = new HashMap<>();

  void add(V variant, L load, S sample) {
    samples
        .computeIfAbsent(variant, _ -> new HashMap<>())
        .computeIfAbsent(load, _ -> new ArrayList<>())
        .add(sample);
  }

  boolean has(V variant) {
    return samples.containsKey(variant);
  }

  double median(V variant, L load, ToDoubleFunction<? super S> measure) {
    return Ratio.median(values(variant, load, measure));
  }

  /// `a` by `b`, round by round.
  Ratio ratio(V a, V b, L load, ToDoubleFunction<? super S> measure) {
    return Ratio.paired(values(a, load, measure), values(b, load, measure));
  }

  /// The variant among `candidates` whose median is the lowest.
  Optional<V> lowest(Predicate<V> candidates, L load, ToDoubleFunction<? super S> measure) {
    return samples.keySet().stream()
        .filter(candidates)
        .min(Comparator.comparingDouble(variant -> median(variant, load, measure)));
  }

  private double[] values(V variant, L load, ToDoubleFunction<? super S> measure) {
    return samples.getOrDefault(variant, Map.of()).getOrDefault(load, List.of()).stream()
        .mapToDouble(measure)
        .toArray();
  }
}
