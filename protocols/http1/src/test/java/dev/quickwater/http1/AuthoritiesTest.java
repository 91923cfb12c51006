package dev.quickwater.http1;

import static dev.quickwater.http1.Parsing.bytes;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuthoritiesTest {

  private static void check(String text) throws Http1Exception {
    byte[] among = bytes("@/" + text + "@/");
    Authorities.check(among, 2, 2 + text.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a:",
        "a:80",
        "my_host:8080",
        "xn--a.example",
        "1.2.3.4:65535",
        "[::1]",
        "[::1]:80",
        "[::ffff:1.2.3.4]",
        "a%20b",
        "a,b;c=d!$&'()*+~",
        ":80"
      })
  void hostsAreValid(String text) {
    assertDoesNotThrow(() -> check(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b", "a/b", "a@b", "a:80:80", "a:x", "a:123456", "[", "[]", "[::1", "[::1]x", "[::1]:x",
        "::1", "[g::]", "a?b", "a#b", "a\\b", "\u00e4", "a\tb", "\"a\"", "<a>", "a[", "a:-1",
        "a%zz", "a%2", "[:::::::.]", "a:99999", "[1.2.3.4]", "[fe80::1%251]"
      })
  void othersAreRefused(String text) {
    assertThrows(Http1Exception.class, () -> check(text));
  }
}
