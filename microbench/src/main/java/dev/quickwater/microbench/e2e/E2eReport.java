package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.report.Figures;
import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Row;
import dev.quickwater.microbench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The results as a table for each depth, and as rows that compare variants.
final class E2eReport {

  private static final String BENCHMARK = "e2e.plaintext.";

  private final E2eOptions options;
  private final Results<Variant, Integer, Sample> results;

  E2eReport(E2eOptions options, Results<Variant, Integer, Sample> results) {
    this.options = options;
    this.results = results;
  }

  String table(int depth) {
    Optional<Variant> netty = results.lowest(Variant::netty, depth, Measure.CPU);
    Table table =
        new Table(
            "depth " + depth,
            "req/s",
            "p50 us",
            "p99 us",
            "CPU us/req",
            "CPU/netty",
            "CPU/bare",
            "CPU/earlier");
    for (Variant variant : options.variants()) {
      table.add(
          variant.label() + (netty.isPresent() && netty.get() == variant ? " *" : ""),
          Figures.number(results.median(variant, depth, Measure.THROUGHPUT)),
          Figures.number(results.median(variant, depth, Measure.P50)),
          Figures.number(results.median(variant, depth, Measure.P99)),
          Figures.number(results.median(variant, depth, Measure.CPU)),
          netty.map(best -> against(variant, best, depth)).orElse("-"),
          results.has(Variant.BARE) ? against(variant, Variant.BARE, depth) : "-",
          results.has(Variant.QUICKWATER_EARLIER)
              ? against(variant, Variant.QUICKWATER_EARLIER, depth)
              : "-");
    }
    return table.toString();
  }

  private String against(Variant variant, Variant other, int depth) {
    return variant == other
        ? "1"
        : Figures.ratio(results.ratio(variant, other, depth, Measure.CPU));
  }

  /// Each of our variants against each other server, `quickwater-epoll` against its earlier build,
  /// and the bare loop against the one in C.
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int depth : options.depths()) {
      for (Variant ours : options.variants()) {
        for (Variant peer : options.variants()) {
          boolean limit = ours == Variant.BARE && peer == Variant.BARE_C;
          boolean earlier = ours == Variant.QUICKWATER_EPOLL && peer == Variant.QUICKWATER_EARLIER;
          if (limit || earlier || (ours.ours() && !peer.ours())) {
            for (Measure measure : Measure.values()) {
              rows.add(row(ours, peer, depth, measure));
            }
          }
        }
      }
    }
    return rows;
  }

  private Row row(Variant ours, Variant peer, int depth, Measure measure) {
    Map<String, String> params =
        new TreeMap<>(Map.of("server", ours.label(), "depth", String.valueOf(depth)));
    double mine = results.median(ours, depth, measure);
    double theirs = results.median(peer, depth, measure);
    Ratio ratio = results.ratio(ours, peer, depth, measure);
    String name = BENCHMARK + measure.label;
    return measure == Measure.THROUGHPUT
        ? new Row(name, params, measure.unit, mine, peer.label(), theirs, ratio)
        : Row.lessIsBetter(name, params, measure.unit, mine, peer.label(), theirs, ratio);
  }
}
