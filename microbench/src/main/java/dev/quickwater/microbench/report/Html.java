package dev.quickwater.microbench.report;

import java.util.List;
import java.util.Locale;

/// The report for people: one page that needs nothing else.
final class Html {

  /// How wide a character of a label is at most on average, in units of the drawing.
  private static final int CHARACTER = 6;

  private static final int PLOT = 420;
  private static final int STEP = 22;

  /// Bars are on a logarithmic scale from a quarter to four times, so that 2 and 0.5 are equally
  /// long.
  private static final double RANGE = 4;

  private Html() {}

  static String of(Report report) {
    Environment e = report.environment();
    return """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>%1$s</title><style>
    body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; color: #222; padding: 0 1em }
    table { border-collapse: collapse; width: 100%% } td, th { padding: .25em .6em; border-bottom: 1px solid #ddd; text-align: right }
    td:first-child, th:first-child { text-align: left } svg { width: 100%%; height: auto } .good { fill: #2a7f62 } .bad { fill: #b5523b }
    text { font-size: 11px; fill: #222 } .axis { stroke: #999 } .interval { stroke: #111; stroke-width: 1.5 }
    </style></head><body><h1>%1$s</h1>
    <p>%2$s<br>%3$s<br>commit %4$s</p>
    <p>Ratio above 1 (to the right): ours is better. The thin line is the 95 %% interval; the scale is logarithmic.</p>
    %5$s
    %6$s
    </body></html>
    """
        .formatted(
            escape(report.title()),
            escape(e.machine()),
            escape(e.jdk()),
            escape(e.commit()),
            chart(report.rows()),
            table(report.rows()));
  }

  private static String chart(List<Row> rows) {
    int height = rows.size() * STEP + 30;
    int longest = rows.stream().mapToInt(row -> barLabel(row).length()).max().orElse(0);
    int labels = longest * CHARACTER + 20;
    StringBuilder out = new StringBuilder();
    out.append(
        format("<svg viewBox=\"%d 0 %d %d\" role=\"img\">%n", -labels, labels + PLOT + 60, height));
    for (double mark : new double[] {0.25, 0.5, 1, 2, 4}) {
      out.append(
          format(
              "<line class=\"axis\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"20\" y2=\"%2$d\"/>"
                  + "<text x=\"%1$.1f\" y=\"14\" text-anchor=\"middle\">%3$s</text>%n",
              x(mark), height, mark == Math.rint(mark) ? "" + (int) mark : "" + mark));
    }
    int y = 26;
    for (Row row : rows) {
      out.append(bar(row, y));
      y += STEP;
    }
    return out.append("</svg>").toString();
  }

  private static String bar(Row row, int y) {
    double from = Math.min(x(1), x(row.ratio().value()));
    double to = Math.max(x(1), x(row.ratio().value()));
    String interval =
        Double.isNaN(row.ratio().low())
            ? ""
            : format(
                "<line class=\"interval\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\"/>",
                x(row.ratio().low()), x(row.ratio().high()), y + 8);
    return format(
        "<text x=\"-10\" y=\"%d\" text-anchor=\"end\">%s</text><rect class=\"%s\" x=\"%.1f\""
            + " y=\"%d\" width=\"%.1f\" height=\"12\"/>%s<text x=\"%d\" y=\"%d\">%.2f</text>%n",
        y + 12,
        escape(barLabel(row)),
        row.ratio().value() >= 1 ? "good" : "bad",
        from,
        y + 2,
        to - from,
        interval,
        PLOT + 10,
        y + 12,
        row.ratio().value());
  }

  private static String barLabel(Row row) {
    return row.label() + ", " + row.peer();
  }

  /// Labels are to the left of 0.
  private static double x(double ratio) {
    double clamped = Math.clamp(ratio, 1 / RANGE, RANGE);
    return PLOT * (Math.log(clamped) / Math.log(RANGE) + 1) / 2;
  }

  private static String table(List<Row> rows) {
    StringBuilder out =
        new StringBuilder(
            "<table><tr><th>benchmark<th>unit<th>ours<th>peer<th>theirs<th>ratio (95"
                + " %)<th>target<th>verdict</tr>\n");
    for (Row row : rows) {
      out.append(
          format(
              "<tr><td>%s<td>%s<td>%s<td>%s<td>%s<td>%s<td>%s<td>%s</tr>%n",
              escape(row.label()),
              escape(row.unit()),
              Figures.number(row.ours()),
              escape(row.peer()),
              Figures.number(row.theirs()),
              Figures.ratio(row.ratio()),
              Double.isNaN(row.target()) ? "" : Figures.number(row.target()),
              row.verdict()));
    }
    return out.append("</table>").toString();
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
