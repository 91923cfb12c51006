package dev.quickwater.microbench.report;

import java.util.Map;

/// One comparison: a figure of ours beside a peer's.
///
/// @param peer which variant of the peer
/// @param ratio above 1 means that ours is better, whichever way the unit points
public record Row(
    String benchmark,
    Map<String, String> params,
    String unit,
    double ours,
    String peer,
    double theirs,
    Ratio ratio) {

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

  /// The benchmark with its parameters, for people.
  String label() {
    return params.isEmpty() ? benchmark : benchmark + " " + params;
  }
}
