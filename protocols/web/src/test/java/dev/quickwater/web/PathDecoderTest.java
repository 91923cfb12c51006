package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PathDecoderTest {

  @Test
  void plainPathsAreDecoded() {
    assertEquals("a/b.txt", PathDecoder.decode("a/b.txt"));
    assertEquals("a b/\u00e4", PathDecoder.decode("a%20b/%c3%A4"));
    assertEquals("...", PathDecoder.decode("..."));
    assertEquals("a%2fb", PathDecoder.decode("a%252fb"));
    assertEquals(".hidden", PathDecoder.decode(".hidden"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "a/",
        "/a",
        "a//b",
        ".",
        "..",
        "a/..",
        "../a",
        "a/../b",
        "a/./b",
        "%2e%2e/a",
        ".%2e/a",
        "%2E./a",
        "a/%2e%2e",
        "a%2fb",
        "a%2Fb",
        "..%2fa",
        "..%5ca",
        "a%5cb",
        "a\\b",
        "..\\a",
        "%00",
        "a%00.txt",
        "a\u0000b",
        "%0a",
        "%7f",
        "%",
        "%2",
        "%zz",
        "a%",
        "%c0%ae%c0%ae/a",
        "%c0%af",
        "%e0%80%af",
        "%ff",
        "%c3",
        "%ed%a0%80"
      })
  void othersAreRefused(String path) {
    assertNull(PathDecoder.decode(path));
  }
}
