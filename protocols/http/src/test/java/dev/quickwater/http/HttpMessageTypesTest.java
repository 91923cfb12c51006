package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

final class HttpMessageTypesTest {

  @Test
  void knownMethodsAreTheSameObjects() {
    assertSame(HttpMethod.GET, HttpMethod.of("GET"));
    assertEquals(HttpMethod.of("BREW"), HttpMethod.of("BREW"));
    assertNotEquals(HttpMethod.GET, HttpMethod.of("get"));
  }

  @Test
  void methodsAreTokens() {
    for (String name : new String[] {"", "A B", "A\r\n", "\u00c4", "A/"}) {
      assertThrows(IllegalArgumentException.class, () -> HttpMethod.of(name));
    }
  }

  @Test
  void statusesOfACodeAreEqual() {
    assertSame(HttpStatus.OK, HttpStatus.of(200));
    assertEquals(HttpStatus.of(299), HttpStatus.of(299));
    assertEquals("299", HttpStatus.of(299).toString());
    assertEquals("404 Not Found", HttpStatus.NOT_FOUND.toString());
  }

  @Test
  void bodilessStatuses() {
    for (int code = 100; code < 1000; code++) {
      assertEquals(
          code < 200 || code == 204 || code == 304, HttpStatus.of(code).isBodiless(), "" + code);
    }
  }

  @Test
  void wholeResponsesKnowTheirLength() {
    assertEquals(3, HttpResponse.text("abc").contentLength());
    assertEquals(2, HttpResponse.text("\u00e4").contentLength());
    assertTrue(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY).end());
    assertEquals(
        1, HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, ByteBuf.utf8("x")).contentLength());
  }

  @Test
  void headsOfResponsesAreChecked() {
    assertFalse(HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, 0).end());
    assertThrows(
        IllegalArgumentException.class,
        () -> HttpResponse.head(HttpStatus.OK, HttpHeaders.EMPTY, -2));
    assertThrows(
        IllegalArgumentException.class,
        () -> HttpResponse.head(HttpStatus.CONTINUE, HttpHeaders.EMPTY, -1));
  }

  @Test
  void authorityOfTheTargetWins() {
    HttpHeaders host = HttpHeaders.of("Host", "b");
    assertEquals("b", request("/", host).authority());
    assertEquals("a", request("http://a/", host).authority());
    assertEquals(null, request("/", HttpHeaders.EMPTY).authority());
  }

  private static HttpRequest request(String target, HttpHeaders headers) {
    return new HttpRequest(
        HttpMethod.GET, HttpTarget.of(target), HttpVersion.HTTP_1_1, headers, true);
  }
}
