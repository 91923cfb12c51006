package dev.quickwater.microbench.report;

import java.util.List;
import java.util.Locale;

/// Figures as people read them.
public final class Figures {

  private Figures() {}

  /// Three significant digits, or all digits of a larger whole part.
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    double size = Math.abs(value);
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  public static String ratio(Ratio ratio) {
    String value = String.format(Locale.ROOT, "%.2f", ratio.value());
    return Double.isNaN(ratio.low())
        ? value
        : value + String.format(Locale.ROOT, " (%.2f-%.2f)", ratio.low(), ratio.high());
  }

  /// All rows with their targets, and the geometric mean of their ratios beside `mean`, the target
  /// it has.
  public static String targets(List<Row> rows, double mean) {
    Table table =
        new Table("row", "unit", "ours", "peer", "theirs", "ratio (95 %)", "target", "verdict");
    for (Row row : rows) {
      table.add(
          row.label(),
          row.unit(),
          number(row.ours()),
          row.peer(),
          number(row.theirs()),
          ratio(row.ratio()),
          number(row.target()),
          row.verdict().toString());
    }
    long missed = rows.stream().filter(row -> row.verdict() == Verdict.SHORT).count();
    return String.format(
        Locale.ROOT,
        "%sA ratio above 1 means that ours is better. %d of %d rows fall short.%n"
            + "Geometric mean of the ratios: %.2f, target %.2f.%n",
        table,
        missed,
        rows.size(),
        geometricMean(rows),
        mean);
  }

  /// NaN when there is no row.
  static double geometricMean(List<Row> rows) {
    return Math.exp(
        rows.stream()
            .mapToDouble(row -> Math.log(row.ratio().value()))
            .average()
            .orElse(Double.NaN));
  }

  /// All rows as a table.
  public static String table(List<Row> rows) {
    Table table = new Table("benchmark", "unit", "ours", "peer", "theirs", "ratio (95 %)");
    for (Row row : rows) {
      table.add(
          row.label(),
          row.unit(),
          number(row.ours()),
          row.peer(),
          number(row.theirs()),
          ratio(row.ratio()));
    }
    return table + "A ratio above 1 means that ours is better." + System.lineSeparator();
  }
}
