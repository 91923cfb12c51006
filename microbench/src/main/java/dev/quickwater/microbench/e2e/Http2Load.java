package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.microbench.e2e.server.http2.Answers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A kind of load: connections, requests in flight on each, and whether the response is the large
/// one.
record Http2Load(int connections, int streams, boolean large) {

  static final String LARGE = "/16k";

  /// One request at a time, one busy connection, several, many; and responses of 16 KiB.
  static final List<Http2Load> DEFAULT =
      List.of(
          new Http2Load(16, 1, false),
          new Http2Load(1, 32, false),
          new Http2Load(16, 32, false),
          new Http2Load(64, 100, false),
          new Http2Load(16, 32, true));

  private static final Pattern LABEL = Pattern.compile("([1-9]\\d{0,3})x([1-9]\\d{0,3})(/16k)?");

  static Http2Load of(String label) {
    Matcher matcher = LABEL.matcher(label);
    if (!matcher.matches()) {
      throw new UsageException(
          "load '" + label + "', expected CONNECTIONSxSTREAMS or CONNECTIONSxSTREAMS" + LARGE);
    }
    return new Http2Load(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        matcher.group(3) != null);
  }

  /// As a user types it.
  String label() {
    return connections + "x" + streams + (large ? LARGE : "");
  }

  String path() {
    return large ? Answers.LARGE_PATH : Plaintext.PATH;
  }

  byte[] body() {
    return large ? Answers.large() : Answers.small();
  }
}
