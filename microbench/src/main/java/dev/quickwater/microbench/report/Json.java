package dev.quickwater.microbench.report;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The report for programs: an object with `machine`, `jdk`, `commit` and `rows`.
final class Json {

  private Json() {}

  static String of(Report report) {
    Environment e = report.environment();
    return report.rows().stream()
        .map(Json::row)
        .collect(
            Collectors.joining(
                ",\n    ",
                "{\n  \"machine\": %s,\n  \"jdk\": %s,\n  \"commit\": %s,\n  \"rows\": [\n    "
                    .formatted(string(e.machine()), string(e.jdk()), string(e.commit())),
                "\n  ]\n}\n"));
  }

  private static String row(Row row) {
    return ("{\"benchmark\": %s, \"params\": %s, \"unit\": %s, \"ours\": %s, \"peer\": %s,"
            + " \"theirs\": %s, \"ratio\": %s, \"low\": %s, \"high\": %s,"
            + " \"target\": %s, \"verdict\": %s}")
        .formatted(
            string(row.benchmark()),
            params(row.params()),
            string(row.unit()),
            number(row.ours()),
            string(row.peer()),
            number(row.theirs()),
            number(row.ratio().value()),
            number(row.ratio().low()),
            number(row.ratio().high()),
            number(row.target()),
            row.verdict() == Verdict.NONE ? "null" : string(row.verdict().toString()));
  }

  private static String params(Map<String, String> params) {
    return params.entrySet().stream()
        .map(entry -> string(entry.getKey()) + ": " + string(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /// JSON has no NaN: a figure that does not exist is null.
  private static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6g", value) : "null";
  }

  private static String string(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        default -> {
          if (c < ' ') {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }
}
