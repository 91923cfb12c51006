package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Sends requests to one server and collects those that are judged wrongly.
final class Verdicts implements AutoCloseable {

  private static final String BAD_REQUEST = "400";
  private static final String PROTOCOL_ERROR = "reset 1";

  private final Target target = new Target();
  private final List<String> wrong = new ArrayList<>();

  /// A request that must be answered 200.
  void accepts(String what, Frame... frames) throws IOException {
    try (RawPeer peer = target.connect()) {
      peer.send(frames);
      check(what, List.of("200"), peer.outcome(1));
    }
  }

  /// A malformed request (RFC 9113 section 8.1.1): status 400 or a stream error, no call of a
  /// handler beyond `calls`, and another request on the same connection is answered.
  void refuses(String what, int calls, Frame... frames) throws IOException {
    long before = target.calls();
    try (RawPeer peer = target.connect()) {
      peer.send(frames);
      check(what, List.of(BAD_REQUEST, PROTOCOL_ERROR), peer.outcome(1));
      check(what + ", calls", List.of("true"), "" + (target.calls() - before <= calls));
      check(what + ", next request", List.of("200"), peer.get(3, "/plaintext"));
    }
  }

  /// Bytes after which the connection must end with an error.
  void ends(String what, List<String> expected, Frame... frames) throws IOException {
    try (RawPeer peer = target.connect()) {
      peer.send(frames);
      check(what, expected, peer.end());
    }
  }

  Target target() {
    return target;
  }

  private void check(String what, List<String> expected, String actual) {
    if (!expected.contains(actual)) {
      wrong.add(what + ": " + actual + ", expected " + String.join(" or ", expected));
    }
  }

  /// Fails if anything was judged wrongly.
  @Override
  public void close() {
    target.close();
    assertEquals(List.of(), wrong);
  }
}
