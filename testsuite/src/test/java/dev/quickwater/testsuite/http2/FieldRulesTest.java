package dev.quickwater.testsuite.http2;

import org.junit.jupiter.api.Test;

/// CVE-2026-93579 and its kin: names and values that HTTP/2 forbids (RFC 9113 section 8.2), which
/// are harmful as soon as they are written in HTTP/1.1.
final class FieldRulesTest {

  private static Frame with(String name, String value) {
    return Frame.headers(1, Fields.get("/plaintext").add(name, value)).last();
  }

  private static boolean isToken(int b) {
    return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || "!#$%&'*+-.^_`|~".indexOf(b) >= 0;
  }

  @Test
  void everyByteOfNameIsChecked() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (int b = 0; b < 256; b++) {
        String name = "x" + (char) b + "y";
        if (isToken(b)) {
          verdicts.accepts("byte " + b, with(name, "1"));
        } else {
          verdicts.refuses("byte " + b, 0, with(name, "1"));
        }
      }
      verdicts.refuses("empty", 0, with("", "1"));
    }
  }

  @Test
  void everyByteOfValueIsChecked() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (int b = 0; b < 256; b++) {
        boolean good = b >= ' ' && b != 0x7f || b == '\t';
        String value = "x" + (char) b + "y";
        if (good) {
          verdicts.accepts("byte " + b, with("x", value));
        } else {
          verdicts.refuses("byte " + b, 0, with("x", value));
        }
      }
    }
  }

  /// Real clients send white space around values.
  @Test
  void whiteSpaceAroundValueIsAccepted() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String value : new String[] {" a", "a ", "\ta", "a\t", " ", ""}) {
        verdicts.accepts("'" + value + "'", with("x", value));
      }
    }
  }

  /// RFC 9113 section 8.2.2.
  @Test
  void fieldsOfTheConnectionAreRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.refuses("connection", 0, with("connection", "close"));
      verdicts.refuses("keep-alive", 0, with("keep-alive", "1"));
      verdicts.refuses("proxy-connection", 0, with("proxy-connection", "close"));
      verdicts.refuses("transfer-encoding", 0, with("transfer-encoding", "chunked"));
      verdicts.refuses("upgrade", 0, with("upgrade", "h2c"));
      verdicts.refuses("te: gzip", 0, with("te", "gzip"));
      verdicts.refuses("te: trailers, gzip", 0, with("te", "trailers, gzip"));
      verdicts.accepts("te: trailers", with("te", "trailers"));
    }
  }

  @Test
  void trailersHaveTheSameRules() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      Frame post = Frame.headers(1, Fields.post("/length"));
      verdicts.accepts("field", post, Frame.headers(1, Fields.of("x-t", "1")).last());
      verdicts.refuses("upper case", 1, post, Frame.headers(1, Fields.of("X-T", "1")).last());
      verdicts.refuses("line feed", 1, post, Frame.headers(1, Fields.of("x", "a\nb")).last());
      verdicts.refuses(
          "connection", 1, post, Frame.headers(1, Fields.of("connection", "close")).last());
      verdicts.refuses("no END_STREAM", 1, post, Frame.headers(1, Fields.of("x-t", "1")));
    }
  }
}
