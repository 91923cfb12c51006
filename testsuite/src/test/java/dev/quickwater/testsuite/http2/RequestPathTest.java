package dev.quickwater.testsuite.http2;

import org.junit.jupiter.api.Test;

/// CVE-2026-33186: a `:path` that rules about paths do not match, because it begins otherwise.
final class RequestPathTest {

  @Test
  void pathBeginsWithASlash() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String path :
          new String[] {
            "",
            "plaintext",
            "svc/Method",
            "*",
            "http://localhost/plaintext",
            "?q",
            "#",
            "/a b",
            "/a\tb",
            "/a\r\nb",
            "/a\u0000",
            "/a\u007f",
            "/a#fragment",
            " /plaintext"
          }) {
        verdicts.refuses("'" + path + "'", 0, Frame.headers(1, Fields.get(path)).last());
      }
      verdicts.accepts("with query", Frame.headers(1, Fields.get("/plaintext?a=b/../c")).last());
    }
  }
}
