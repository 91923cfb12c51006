package dev.quickwater.testsuite.http2;

import org.junit.jupiter.api.Test;

/// CVE-2026-59900: `:authority` and Host that differ, of which a filter reads one and a router the
/// other (RFC 9113 section 8.3.1).
final class AuthorityAndHostTest {

  private static Frame request(String... authorityAndHost) {
    return Frame.headers(
            1,
            Fields.of(":method", "GET", ":scheme", "http", ":path", "/plaintext")
                .raw(Fields.of(authorityAndHost).block()))
        .last();
  }

  @Test
  void equalOnesAndEitherAloneAreAccepted() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.accepts("both", request(":authority", "a.example", "host", "a.example"));
      verdicts.accepts("port", request(":authority", "a.example:81", "host", "a.example:81"));
      verdicts.accepts("authority", request(":authority", "a.example"));
      verdicts.accepts("host", request("host", "a.example"));
      verdicts.accepts("underscore", request(":authority", "a_b"));
    }
  }

  @Test
  void differentOnesAreRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.refuses("name", 0, request(":authority", "a.example", "host", "b.example"));
      verdicts.refuses("port", 0, request(":authority", "a.example:81", "host", "a.example:82"));
      verdicts.refuses("prefix", 0, request(":authority", "a.example", "host", "a.example.b"));
      verdicts.refuses(
          "two hosts", 0, request(":authority", "a", "host", "a", "host", "b.example"));
      verdicts.refuses("two hosts alone", 0, request("host", "a.example", "host", "b.example"));
    }
  }

  @Test
  void malformedOneIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String bad :
          new String[] {"a b", "user@a", "a/b", "a:b", "a:99999", "a\r\nb", "[::1", "a#b"}) {
        verdicts.refuses(":authority '" + bad + "'", 0, request(":authority", bad));
        verdicts.refuses("host '" + bad + "'", 0, request("host", bad));
      }
      verdicts.refuses("none", 0, request());
    }
  }
}
