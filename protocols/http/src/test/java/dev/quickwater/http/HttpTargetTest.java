package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 section 3.2.
final class HttpTargetTest {

  @Test
  void originForm() {
    HttpTarget target = HttpTarget.of("/a/b?c=d?e");
    assertEquals("/a/b", target.rawPath());
    assertEquals("/a/b", target.path());
    assertEquals("c=d?e", target.rawQuery());
    assertNull(target.authority());
    assertNull(target.scheme());
    assertTrue(target.hasPath("/a/b"));
    assertFalse(target.hasPath("/a/"));
    assertFalse(target.hasPath("/a/b?"));
    assertFalse(target.isAbsolute());
    assertEquals("/a/b?c=d?e", target.toString());
  }

  @Test
  void absoluteForm() {
    HttpTarget target = HttpTarget.of("HTTPS://A:1/x?y");
    assertTrue(target.isAbsolute());
    assertEquals(new Authority("a", 1), target.authority());
    assertEquals("https", target.scheme());
    assertEquals("/x", target.path());
    assertEquals("y", target.rawQuery());
    assertEquals("/x?y", target.originForm());
  }

  @Test
  void absoluteFormWithoutAPathHasTheRoot() {
    for (String text : new String[] {"http://a", "http://a?b"}) {
      HttpTarget target = HttpTarget.of(text);
      assertEquals("/", target.path());
      assertEquals(List.of(""), target.segments());
      assertTrue(target.hasPath("/"));
      assertFalse(target.hasPath(""));
    }
    assertEquals("b", HttpTarget.of("http://a?b").rawQuery());
    assertEquals("/?b", HttpTarget.of("http://a?b").originForm());
  }

  @Test
  void authorityForm() {
    for (String text : new String[] {"a.example:443", "[::1]:1", "1.2.3.4:0"}) {
      HttpTarget target = HttpTarget.of(text);
      assertTrue(target.isAuthority());
      assertEquals(Authority.of(text), target.authority());
      assertEquals("", target.path());
      assertFalse(target.isCanonical());
      assertEquals(List.of(), target.segments());
      assertNull(target.rawQuery());
      assertFalse(target.hasPath(""));
    }
  }

  @Test
  void asteriskForm() {
    HttpTarget target = HttpTarget.of("*");
    assertTrue(target.isAsterisk());
    assertEquals("*", target.path());
    assertFalse(target.isCanonical());
    assertFalse(target.hasPath("*"));
    assertEquals(List.of(), target.segments());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "**",
        "http:",
        "http://",
        "http:///",
        "ftp://a/",
        "/#",
        "/ ",
        "//\n",
        "a:",
        ":1",
        "a:99999",
        "http://a%zz/",
        "http://:80/",
        "http://u@a/",
        "*?x",
        "a:1/",
        "/\u00e4",
        "[:::::::.]:1",
        "http://a:99999/",
        "http:/a",
        "http\u0010//a"
      })
  void othersAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> HttpTarget.of(text));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "/%66iles/a, /files/a",
        "/files/a, /files/a",
        "/%E4%BD%A0, /\u4f60",
        "/a%20b, /a b",
        "/a+b, /a+b",
        "/a%25b, /a%b",
        "/a%3Fb, /a?b",
        "/a/./b, /a/b",
        "/a/%2e/b, /a/b",
        "/a/x/../b, /a/b",
        "/a/x/%2E%2e/b, /a/b",
        "/a/x/.%2e/b, /a/b",
        "/a/b/.., /a/",
        "/a/b/., /a/b/",
        "/.., ",
        "/a/.., /",
        "/., /",
        "/a/..., /a/...",
        "/a/.b, /a/.b",
        "/a/..b, /a/..b",
        "/a//b, /a//b",
        "/a//../b, /a/b",
        "//, //",
        "/a/../.., ",
        "/a/../../a, ",
        "/%2e%2e/a, ",
        "/a%2fb, ",
        "/a%2Fb, ",
        "/a%00, ",
        "/a%0d%0ab, ",
        "/a%7f, ",
        "/a%, ",
        "/a%4, ",
        "/a%zz, ",
        "/%c0%af, ",
        "/%c0%80, ",
        "/%ff, ",
        "/%ed%a0%80, ",
        "/a%C3, "
      })
  void pathIsDecodedAndWithoutDotSegments(String raw, String canonical) {
    HttpTarget target = HttpTarget.of(raw + "?x");
    assertEquals(raw, target.rawPath());
    if (canonical == null) {
      assertFalse(target.isCanonical());
      assertEquals(raw, target.path());
      assertEquals(List.of(), target.segments());
      assertFalse(target.hasPath(raw));
      assertFalse(target.hasPath("/"));
    } else {
      assertTrue(target.isCanonical());
      assertEquals(canonical, target.path());
      assertTrue(target.hasPath(canonical));
      assertEquals(raw.equals(canonical), target.hasPath(raw));
      assertEquals(List.of(canonical.substring(1).split("/", -1)), target.segments());
    }
  }

  @Test
  void segmentsAreTheTextsBetweenSlashes() {
    assertEquals(List.of(""), HttpTarget.of("/").segments());
    assertEquals(List.of("a", ""), HttpTarget.of("/a/").segments());
    assertEquals(List.of("a", "", "b c"), HttpTarget.of("/a//b%20c").segments());
  }

  @Test
  void queryMayBeEmptyOrAbsent() {
    assertEquals("", HttpTarget.of("/?").rawQuery());
    assertNull(HttpTarget.of("/").rawQuery());
    assertNull(HttpTarget.of("/").query("a"));
  }

  @Test
  void queryParametersAreDecoded() {
    HttpTarget target =
        HttpTarget.of("/?a=1&a=2&b=x+y%26&c&%64=%E4%BD%A0&e=%zz&e=ok&&=n&f=a=b&g=%c3");
    assertEquals("1", target.query("a"));
    assertEquals("x y&", target.query("b"));
    assertEquals("", target.query("c"));
    assertEquals("\u4f60", target.query("d"));
    assertEquals("ok", target.query("e"));
    assertEquals("n", target.query(""));
    assertEquals("a=b", target.query("f"));
    assertNull(target.query("g"));
    assertNull(target.query("h"));
  }

  @Test
  void targetsAreEqualByText() {
    assertEquals(HttpTarget.of("/a"), HttpTarget.of("/a"));
    assertEquals(HttpTarget.of("/a").hashCode(), HttpTarget.of("/a").hashCode());
    assertNotEquals(HttpTarget.of("/a"), HttpTarget.of("/%61"));
  }

  @Test
  void everyCharacterIsChecked() {
    for (char c = 0; c < 0x300; c++) {
      String target = "/a" + c + "b";
      if (c > 0x20 && c < 0x7f && c != '#') {
        assertEquals(target, HttpTarget.of(target).toString());
      } else {
        assertThrows(IllegalArgumentException.class, () -> HttpTarget.of(target));
      }
    }
  }

  @Test
  void lengthIsLimited() {
    String longest = "/" + "a".repeat(65_534);
    assertEquals(longest, HttpTarget.of(longest).path());
    assertThrows(IllegalArgumentException.class, () -> HttpTarget.of(longest + "a"));
  }
}
