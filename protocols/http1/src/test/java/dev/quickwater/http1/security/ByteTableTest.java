package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.refused;

import org.junit.jupiter.api.Test;

/// Every byte in every place of a head (CVE-2021-43797, GHSA-hcvj-94mj-jp5c): bytes that the
/// grammar does not allow are refused, never skipped.
final class ByteTableTest {

  private static final String TOKEN =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

  private interface Place {
    String with(char c);
  }

  private static void check(Place place, java.util.function.IntPredicate legal) {
    for (char c = 0; c < 256; c++) {
      if (legal.test(c)) {
        accepted(place.with(c));
      } else {
        refused(400, place.with(c));
      }
    }
  }

  private static boolean isToken(int c) {
    return TOKEN.indexOf(c) >= 0;
  }

  private static boolean isValue(int c) {
    return c >= 0x20 && c != 0x7f || c == '\t';
  }

  @Test
  void methodsAreTokens() {
    check(c -> "G" + c + "T / HTTP/1.1\r\nHost: a\r\n\r\n", ByteTableTest::isToken);
  }

  @Test
  void targetsAreVisible() {
    check(
        c -> "GET /a" + c + "b HTTP/1.1\r\nHost: a\r\n\r\n", c -> c > 0x20 && c < 0x7f && c != '#');
  }

  @Test
  void namesAreTokens() {
    check(c -> "GET / HTTP/1.1\r\nHost: a\r\nX" + c + "y: z\r\n\r\n", c -> isToken(c) || c == ':');
  }

  @Test
  void firstCharacterOfANameIsOfAToken() {
    check(c -> "GET / HTTP/1.1\r\nHost: a\r\n" + c + "y: z\r\n\r\n", ByteTableTest::isToken);
  }

  @Test
  void valuesHaveNoControls() {
    check(c -> "GET / HTTP/1.1\r\nHost: a\r\nX: a" + c + "b\r\n\r\n", ByteTableTest::isValue);
    check(c -> "GET / HTTP/1.1\r\nHost: a\r\nX: a" + c + "\r\n\r\n", ByteTableTest::isValue);
    check(c -> "GET / HTTP/1.1\r\nHost: a\r\nX:" + c + "b\r\n\r\n", ByteTableTest::isValue);
  }

  @Test
  void trailersAreHeldToTheSame() {
    String head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
    check(c -> head + "X" + c + "y: z\r\n\r\n", c -> isToken(c) || c == ':');
    check(c -> head + "X: a" + c + "b\r\n\r\n", ByteTableTest::isValue);
  }
}
