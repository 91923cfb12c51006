package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 section 7.2.
final class AuthorityTest {

  @ParameterizedTest
  @CsvSource(
      value = {
        "a|a|-1",
        "A.Example|a.example|-1",
        "a:80|a|80",
        "a:|a|-1",
        "my_host:0|my_host|0",
        "1.2.3.4:65535|1.2.3.4|65535",
        "[::1]|::1|-1",
        "[::FFFF:1.2.3.4]:8080|::ffff:1.2.3.4|8080",
        "a%20b|a%20b|-1",
        ":80|''|80"
      },
      delimiter = '|')
  void hostAndPort(String text, String host, int port) {
    Authority authority = Authority.of(text);
    assertEquals(new Authority(host, port), authority);
    assertEquals(host, authority.host());
    assertEquals(port, authority.port());
    assertEquals(authority, Authority.of(authority.toString()));
  }

  @Test
  void emptyHostIsValid() {
    assertEquals(new Authority("", -1), Authority.of(""));
    assertEquals("", Authority.of("").toString());
  }

  @Test
  void textHasBracketsAroundAnAddressAndNoDefaultPort() {
    assertEquals("[::1]:80", new Authority("::1", 80).toString());
    assertEquals("a", new Authority("A", -1).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "a/b",
        "a@b",
        "a:80:80",
        "a:x",
        "a:123456",
        "a:65536",
        "a:99999",
        "[",
        "[]",
        "[::1",
        "[::1]x",
        "[::1]:x",
        "::1",
        "[g::]",
        "[:::::::.]",
        "[1.2.3.4]",
        "[fe80::1%1]",
        "[fe80::1%251]",
        "[v1.x]",
        "a?b",
        "a#b",
        "a\\b",
        "\u00e4",
        "a\tb",
        "\"a\"",
        "<a>",
        "a[",
        "a:-1",
        "a:+1",
        "a%zz",
        "a%2",
        "%",
        "a\r\n"
      })
  void othersAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Authority.of(text));
  }

  @Test
  void componentsAreChecked() {
    for (String host : new String[] {"a:b", "a b", "[::1]", "a/", "a@b", "fe80::1%1", "\u0130"}) {
      assertThrows(IllegalArgumentException.class, () -> new Authority(host, 1));
    }
    for (int port : new int[] {-2, 65536, Integer.MAX_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> new Authority("a", port));
    }
  }
}
