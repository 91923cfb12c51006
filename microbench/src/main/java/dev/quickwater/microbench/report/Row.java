package dev.quickwater.microbench.report;

import java.util.Map;

/// One comparison: a figure of ours beside a peer's.
///
/// @param peer which variant of the peer
/// @param ratio above 1 means that ours is better, for all units
/// @param target the least ratio wanted; NaN without a target
public record Row(
    String benchmark,
    Map<String, String> params,
    String unit,
    double ours,
    String peer,
    double theirs,
    Ratio ratio,
    double target) {

  /// A comparison without a target.
  public Row(
      String benchmark,
      Map<String, String> params,
      String unit,
      double ours,
      String peer,
      double theirs,
      Ratio ratio) {
    this(benchmark, params, unit, ours, peer, theirs, ratio, Double.NaN);
  }

  /// For a figure of which less is better, as times are; `oursByTheirs` is the plain quotient.
  public static Row lessIsBetter(
      String benchmark,
      Map<String, String> params,
      String unit,
      double ours,
      String peer,
      double theirs,
      Ratio oursByTheirs) {
    return new Row(benchmark, params, unit, ours, peer, theirs, oursByTheirs.inverse());
  }

  /// The same comparison held against a target.
  public Row withTarget(double least) {
    return new Row(benchmark, params, unit, ours, peer, theirs, ratio, least);
  }

  /// Whether the ratio reaches the target.
  public Verdict verdict() {
    return Verdict.of(ratio, target);
  }

  /// The benchmark with its parameters, for people.
  public String label() {
    return params.isEmpty() ? benchmark : benchmark + " " + params;
  }
}
