package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.engine.EngineAccess;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HeaderNameTest {

  @Test
  void registeredNamesAreSingleObjectsInAnyCase() throws Exception {
    int found = 0;
    Set<Integer> numbers = new HashSet<>();
    for (Field field : HeaderName.class.getFields()) {
      HeaderName name = (HeaderName) field.get(null);
      String text = field.getName().toLowerCase(Locale.ROOT).replace('_', '-');
      assertEquals(text, name.toString());
      assertSame(name, HeaderName.of(text));
      assertSame(name, HeaderName.of(text.toUpperCase(Locale.ROOT)));
      byte[] among =
          ("x" + text.toUpperCase(Locale.ROOT) + "y").getBytes(StandardCharsets.US_ASCII);
      assertSame(name, HeaderName.of(EngineAccess.GRANTED, among, 1, text.length()));
      assertTrue(numbers.add(name.number(EngineAccess.GRANTED)));
      assertTrue(
          name.number(EngineAccess.GRANTED) < HeaderName.registeredCount(EngineAccess.GRANTED));
      found++;
    }
    assertTrue(found > 60, found + " names");
  }

  @Test
  void otherNamesAreEqualByText() {
    assertEquals(HeaderName.of("x-mine"), HeaderName.of("X-Mine"));
    assertEquals(HeaderName.of("x-mine").hashCode(), HeaderName.of("X-MINE").hashCode());
    assertNotSame(HeaderName.of("x-mine"), HeaderName.of("x-mine"));
    assertEquals("x-mine", HeaderName.of("X-MINE").toString());
    assertEquals(-1, HeaderName.of("x-mine").number(EngineAccess.GRANTED));
  }

  @Test
  void engineOwnedNames() {
    for (String name :
        new String[] {
          "Host",
          "Content-Length",
          "Transfer-Encoding",
          "Connection",
          "Keep-Alive",
          "Proxy-Connection",
          "Upgrade",
          "Sec-WebSocket-Key",
          "Sec-WebSocket-Accept"
        }) {
      assertTrue(HeaderName.of(name).isEngineOwned(), name);
    }
    assertFalse(HeaderName.DATE.isEngineOwned());
    assertFalse(HeaderName.of("x-host").isEngineOwned());
  }

  @Test
  void connectionCannotNominateRegisteredEndToEndFields() {
    assertTrue(HeaderName.COOKIE.isEndToEnd(EngineAccess.GRANTED));
    assertTrue(HeaderName.AUTHORIZATION.isEndToEnd(EngineAccess.GRANTED));
    assertFalse(HeaderName.TE.isEndToEnd(EngineAccess.GRANTED));
    assertFalse(HeaderName.PROXY_AUTHORIZATION.isEndToEnd(EngineAccess.GRANTED));
    assertFalse(HeaderName.of("x-mine").isEndToEnd(EngineAccess.GRANTED));
    assertFalse(HeaderName.of("upgrade").isEndToEnd(EngineAccess.GRANTED));
  }

  @Test
  void namesAreTokens() {
    for (char c = 0; c < 0x300; c++) {
      String name = "a" + c;
      if (Grammar.isToken(c)) {
        assertEquals(2, HeaderName.of(name).toString().length());
      } else {
        assertThrows(IllegalArgumentException.class, () -> HeaderName.of(name));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> HeaderName.of(""));
  }

  @Test
  void charactersThatLookAlikeInLowerCaseAreNotTheName() {
    assertThrows(IllegalArgumentException.class, () -> HeaderName.of("li\u212aE"));
    assertFalse(HeaderName.of("d@te".replace('@', '`')).equals(HeaderName.DATE));
  }
}
