package dev.quickwater.testsuite.http2;

import org.junit.jupiter.api.Test;

/// The pseudo-fields of a request (RFC 9113 section 8.3): each exactly once, before all fields,
/// with a value; everything else is a stream error.
final class PseudoHeaderTest {

  private static Frame get(String... namesAndValues) {
    return Frame.headers(1, Fields.of(namesAndValues)).last();
  }

  @Test
  void anyOrderIsAccepted() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.accepts(
          "path first",
          get(
              ":path",
              "/plaintext",
              ":authority",
              "a",
              ":scheme",
              "http",
              ":method",
              "GET",
              "x",
              "1"));
    }
  }

  @Test
  void missingOneIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.refuses("none", 0, get("x", "1"));
      verdicts.refuses("empty block", 0, get());
      verdicts.refuses("method", 0, get(":scheme", "http", ":path", "/", ":authority", "a"));
      verdicts.refuses("scheme", 0, get(":method", "GET", ":path", "/", ":authority", "a"));
      verdicts.refuses("path", 0, get(":method", "GET", ":scheme", "http", ":authority", "a"));
    }
  }

  @Test
  void repeatedOneIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String name : new String[] {":method", ":scheme", ":path", ":authority"}) {
        String value =
            switch (name) {
              case ":method" -> "GET";
              case ":scheme" -> "http";
              case ":path" -> "/plaintext";
              default -> "localhost";
            };
        verdicts.refuses(
            name, 0, Frame.headers(1, Fields.get("/plaintext").add(name, value)).last());
      }
    }
  }

  @Test
  void unknownOneIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String name : new String[] {":status", ":version", ":", ":Path", ":path "}) {
        verdicts.refuses(
            name, 0, Frame.headers(1, Fields.get("/plaintext").add(name, "200")).last());
      }
      verdicts.refuses(
          ":protocol without CONNECT",
          0,
          Frame.headers(1, Fields.get("/plaintext").add(":protocol", "websocket")).last());
    }
  }

  @Test
  void lateOneIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.refuses(
          "after a field",
          0,
          get(
              ":method",
              "GET",
              ":scheme",
              "http",
              "x",
              "1",
              ":path",
              "/plaintext",
              ":authority",
              "a"));
      verdicts.refuses(
          "in trailers",
          1,
          Frame.headers(1, Fields.post("/length")),
          Frame.headers(1, Fields.of(":path", "/other")).last());
    }
  }

  @Test
  void badMethodOrSchemeIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String method : new String[] {"", "GET ", "G T", "GET\r\nX: y", "G\u0000T", "G:T"}) {
        verdicts.refuses(
            "method '" + method + "'",
            0,
            Frame.headers(1, Fields.request(method, "/plaintext")).last());
      }
      for (String scheme : new String[] {"", "ht tp", "http://x", "http\r\n", "1http"}) {
        verdicts.refuses(
            "scheme '" + scheme + "'",
            0,
            get(":method", "GET", ":scheme", scheme, ":path", "/plaintext", ":authority", "a"));
      }
    }
  }

  /// RFC 9113 section 8.5: CONNECT has an authority and neither scheme nor path.
  @Test
  void malformedConnectIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.refuses(
          "scheme and path",
          0,
          Frame.headers(
              1,
              Fields.of(
                  ":method", "CONNECT", ":scheme", "http", ":path", "/", ":authority", "a:1")));
      verdicts.refuses("no authority", 0, Frame.headers(1, Fields.of(":method", "CONNECT")));
    }
  }
}
