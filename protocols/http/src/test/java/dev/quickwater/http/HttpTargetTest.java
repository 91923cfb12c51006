package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 section 3.2.
final class HttpTargetTest {

  @Test
  void originForm() {
    HttpTarget target = HttpTarget.of("/a/b?c=d?e");
    assertEquals("/a/b", target.path());
    assertEquals("c=d?e", target.query());
    assertNull(target.authority());
    assertTrue(target.hasPath("/a/b"));
    assertFalse(target.hasPath("/a/"));
    assertFalse(target.hasPath("/a/b?"));
    assertFalse(target.isAbsolute());
  }

  @Test
  void queryMayBeEmptyOrAbsent() {
    assertEquals("", HttpTarget.of("/?").query());
    assertNull(HttpTarget.of("/").query());
  }

  @Test
  void absoluteForm() {
    HttpTarget target = HttpTarget.of("HTTPS://A:1/x?y");
    assertTrue(target.isAbsolute());
    assertEquals("A:1", target.authority());
    assertEquals("/x", target.path());
    assertEquals("y", target.query());
  }

  @Test
  void absoluteFormWithoutAPathHasTheRoot() {
    for (String text : new String[] {"http://a", "http://a?b"}) {
      HttpTarget target = HttpTarget.of(text);
      assertEquals("/", target.path());
      assertTrue(target.hasPath("/"));
      assertEquals("a", target.authority());
    }
    assertEquals("b", HttpTarget.of("http://a?b").query());
  }

  @Test
  void asteriskForm() {
    assertTrue(HttpTarget.of("*").isAsterisk());
    assertEquals("*", HttpTarget.of("*").path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "**", "http:", "http://", "http:///", "ftp://a/", "/#", "/ ", "//\n"})
  void othersAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> HttpTarget.of(text));
  }
}
