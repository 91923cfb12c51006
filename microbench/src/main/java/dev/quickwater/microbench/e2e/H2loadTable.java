package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The results of one load under h2load as a table, each beside the best variant of Netty.
final class H2loadTable {

  private H2loadTable() {}

  static <V, L> String of(
      String title,
      List<V> variants,
      Function<V, String> labelOf,
      Predicate<V> isNetty,
      Results<V, L, Http2Sample> results,
      L load) {
    Optional<V> netty = results.lowest(isNetty, load, Http2Measure.CPU);
    Table table = new Table(title, "req/s", "mean us", "wire B/resp", "CPU us/req", "CPU/netty");
    for (V variant : variants) {
      boolean best = netty.isPresent() && netty.get().equals(variant);
      table.add(
          labelOf.apply(variant) + (best ? " *" : ""),
          Figures.number(results.median(variant, load, Http2Measure.THROUGHPUT)),
          Figures.number(results.median(variant, load, Http2Measure.MEAN)),
          Figures.number(results.median(variant, load, Http2Measure.WIRE)),
          Figures.number(results.median(variant, load, Http2Measure.CPU)),
          best
              ? "1"
              : netty
                  .map(peer -> Figures.ratio(results.ratio(variant, peer, load, Http2Measure.CPU)))
                  .orElse("-"));
    }
    return table.toString();
  }
}
