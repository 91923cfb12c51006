package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One run of h2load.
///
/// @param requests answered with a status of 2xx
/// @param mean time from request to the end of its response, in microseconds
/// @param wire bytes that the server sent for a response, frames and fields included
/// @param cpu processor time of the server for a request, in microseconds
record Http2Sample(long requests, double seconds, double mean, double wire, double cpu) {

  private static final Pattern REQUESTS =
      Pattern.compile(
          "requests: \\d+ total, \\d+ started, (\\d+) done, (\\d+) succeeded,"
              + " (\\d+) failed, (\\d+) errored, (\\d+) timeout");
  private static final Pattern STATUS =
      Pattern.compile("status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");
  private static final Pattern TRAFFIC =
      Pattern.compile("traffic: \\S+ \\((\\d+)\\) total, .* \\S+ \\((\\d+)\\) data");
  private static final Pattern SECONDS = Pattern.compile("finished in ([\\d.]+)(us|ms|s),");
  private static final Pattern MEAN =
      Pattern.compile("time for request: +\\S+ +\\S+ +([\\d.]+)(us|ms|s) ");

  /// What h2load printed. A run with a request that failed, or with bodies of another length, is no
  /// measurement. Requests that are in flight when the time is over are not failures; their heads
  /// may be counted.
  static Http2Sample parse(String output, int bodyLength, double cpuMicros) throws IOException {
    Matcher requests = find(REQUESTS, output);
    long done = Long.parseLong(requests.group(1));
    for (int group = 3; group <= 5; group++) {
      require(Long.parseLong(requests.group(group)) == 0, "failed requests", output);
    }
    require(done > 0, "no request", output);
    require(Long.parseLong(requests.group(2)) == done, "requests without success", output);
    Matcher status = find(STATUS, output);
    require(Long.parseLong(status.group(1)) >= done, "responses without status 2xx", output);
    for (int group = 2; group <= 4; group++) {
      require(Long.parseLong(status.group(group)) == 0, "another status than 2xx", output);
    }
    Matcher traffic = find(TRAFFIC, output);
    require(
        Long.parseLong(traffic.group(2)) >= done * bodyLength, "bodies that are too short", output);
    return new Http2Sample(
        done,
        micros(find(SECONDS, output)) / 1e6,
        micros(find(MEAN, output)),
        (double) Long.parseLong(traffic.group(1)) / done,
        cpuMicros / done);
  }

  double perSecond() {
    return requests / seconds;
  }

  private static Matcher find(Pattern pattern, String output) throws IOException {
    Matcher matcher = pattern.matcher(output);
    require(matcher.find(), "no line like '" + pattern + "'", output);
    return matcher;
  }

  private static void require(boolean good, String what, String output) throws IOException {
    if (!good) {
      throw new IOException("h2load printed " + what + ":\n" + output);
    }
  }

  private static double micros(Matcher time) {
    double factor =
        switch (time.group(2)) {
          case "us" -> 1;
          case "ms" -> 1e3;
          default -> 1e6;
        };
    return Double.parseDouble(time.group(1)) * factor;
  }
}
