package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One measured run of a client.
///
/// @param cpu microseconds of processor time for a request
/// @param perSecond requests
/// @param allocated bytes of heap for a request
record ClientSample(double cpu, double perSecond, double allocated) {

  private static final Pattern LINE =
      Pattern.compile("responses=(\\d+) seconds=([\\d.]+) cpu=([\\d.]+) allocated=(\\d+)");
  private static final double MICROS_PER_SECOND = 1e6;

  /// Reads what a client printed.
  static ClientSample parse(String output) throws IOException {
    Matcher matcher = LINE.matcher(output);
    if (!matcher.find() || Long.parseLong(matcher.group(1)) == 0) {
      throw new IOException("the client reported no responses:\n" + output);
    }
    long responses = Long.parseLong(matcher.group(1));
    return new ClientSample(
        Double.parseDouble(matcher.group(3)) * MICROS_PER_SECOND / responses,
        responses / Double.parseDouble(matcher.group(2)),
        (double) Long.parseLong(matcher.group(4)) / responses);
  }
}
