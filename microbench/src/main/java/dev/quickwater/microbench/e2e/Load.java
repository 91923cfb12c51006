package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What one run of wrk saw, latencies in microseconds.
///
/// With pipelining wrk times a whole batch, so p50 and p99 are those of a batch.
record Load(long requests, double seconds, double p50, double p99) {

  private static final Pattern MEASURED =
      Pattern.compile(
          "^measured (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (-?\\d+)$",
          Pattern.MULTILINE);

  /// The line that the script of [Wrk] prints. A run with an error is no measurement, nor is one
  /// whose latencies are not as many as its batches, give or take those that were under way at the
  /// end.
  static Load parse(String output, int depth) throws IOException {
    Matcher m = MEASURED.matcher(output);
    if (!m.find()) {
      throw new IOException("wrk printed no result:\n" + output);
    }
    String[] kinds = {"connect", "read", "write", "status other than 2xx", "timeout"};
    for (int i = 0; i < kinds.length; i++) {
      if (number(m, 3 + i) != 0) {
        throw new IOException("wrk counted " + number(m, 3 + i) + " errors: " + kinds[i]);
      }
    }
    long batches = number(m, 1) / depth;
    if (Math.abs(number(m, 10) - batches) > Wrk.CONNECTIONS) {
      throw new IOException(
          "wrk timed " + number(m, 10) + " of " + batches + " batches, is this wrk 4.1?");
    }
    return new Load(number(m, 1), number(m, 2) / 1e6, number(m, 8), number(m, 9));
  }

  double perSecond() {
    return requests / seconds;
  }

  private static long number(Matcher matcher, int group) {
    return Long.parseLong(matcher.group(group));
  }
}
