package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
  void statusesAreThreeDigits() {
    for (int code : new int[] {Integer.MIN_VALUE, -200, 0, 99, 1000, 20_000}) {
      assertThrows(IllegalArgumentException.class, () -> HttpStatus.of(code));
    }
  }

  @Test
  void bodilessStatuses() {
    for (int code = 100; code < 1000; code++) {
      HttpStatus status = HttpStatus.of(code);
      assertEquals(code < 200 || code == 204 || code == 304, status.isBodiless(), "" + code);
      assertEquals(!status.isBodiless() && code != 205, status.allowsContent(), "" + code);
    }
  }
}
