package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.report.Ratio;
import dev.quickwater.microbench.report.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The results of HTTP/2 as a table for each load, and as rows that compare ours with each peer.
final class Http2Report {

  private final Http2Options options;
  private final Results<Http2Variant, Http2Load, Http2Sample> results;

  Http2Report(Http2Options options, Results<Http2Variant, Http2Load, Http2Sample> results) {
    this.options = options;
    this.results = results;
  }

  String table(Http2Load load) {
    return H2loadTable.of(
        load.label(), options.variants(), Http2Variant::label, Http2Variant::netty, results, load);
  }

  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    if (!options.variants().contains(Http2Variant.QUICKWATER)) {
      return rows;
    }
    for (Http2Load load : options.loads()) {
      for (Http2Variant peer : options.variants()) {
        if (peer != Http2Variant.QUICKWATER) {
          for (Http2Measure measure : Http2Measure.values()) {
            rows.add(row(peer, load, measure));
          }
        }
      }
    }
    return rows;
  }

  private Row row(Http2Variant peer, Http2Load load, Http2Measure measure) {
    Map<String, String> params = Map.of("load", load.label());
    double mine = results.median(Http2Variant.QUICKWATER, load, measure);
    double theirs = results.median(peer, load, measure);
    Ratio ratio = results.ratio(Http2Variant.QUICKWATER, peer, load, measure);
    String name = "e2e.http2." + measure.label;
    return measure == Http2Measure.THROUGHPUT
        ? new Row(name, params, measure.unit, mine, peer.label(), theirs, ratio)
        : Row.lessIsBetter(name, params, measure.unit, mine, peer.label(), theirs, ratio);
  }
}
