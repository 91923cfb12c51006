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
