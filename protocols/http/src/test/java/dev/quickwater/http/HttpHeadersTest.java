package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HttpHeadersTest {

  private static final HttpHeaders FIELDS = HttpHeaders.of("A", "1", "b", "2", "a", "3");

  private static HttpHeaders parsed(String name, String value) {
    byte[] block = (name + ":" + value).getBytes(StandardCharsets.ISO_8859_1);
    return HttpHeaders.parsed(
        block, new long[] {HttpHeaders.span(0, name.length(), name.length() + 1, value.length())});
  }

  @Test
  void namesAreFoundInAnyCase() {
    assertEquals("1", FIELDS.get("a"));
    assertEquals(List.of("1", "3"), FIELDS.getAll("A"));
    assertEquals("2", FIELDS.get("B"));
    assertNull(FIELDS.get("c"));
    assertFalse(FIELDS.contains(""));
    assertEquals(2, FIELDS.indexOf("a", 1));
  }

  @Test
  void orderAndCaseAreKeptOnTheWire() {
    assertEquals(
        "A: 1\r\nb: 2\r\na: 3\r\n", new String(FIELDS.wireForm(), StandardCharsets.ISO_8859_1));
  }

  @Test
  void whiteSpaceAroundValuesIsDropped() {
    assertEquals("x y", HttpHeaders.of("a", " \tx y\t ").get("a"));
    assertEquals("", HttpHeaders.of("a", " \t").get("a"));
  }

  @Test
  void setReplacesAllAndRemoveTakesAll() {
    assertEquals(HttpHeaders.of("b", "2", "A", "4"), FIELDS.toBuilder().set("A", "4").build());
    assertEquals(HttpHeaders.of("b", "2"), FIELDS.toBuilder().remove("a").build());
  }

  @Test
  void tokensAreFoundInLists() {
    HttpHeaders fields = HttpHeaders.of("Connection", "x, Upgrade ,\tclose", "connection", "y");
    assertTrue(fields.containsToken("connection", "upgrade"));
    assertTrue(fields.containsToken("connection", "Y"));
    assertFalse(fields.containsToken("connection", "up"));
  }

  @Test
  void parsedEqualsBuilt() {
    assertEquals(HttpHeaders.of("a", "b"), parsed("A", "b"));
    assertEquals(HttpHeaders.of("a", "b").hashCode(), parsed("A", "b").hashCode());
    assertNotEquals(HttpHeaders.of("a", "b"), parsed("A", "B"));
    assertEquals("A: b\r\n", new String(parsed("A", "b").wireForm(), StandardCharsets.US_ASCII));
  }

  @Test
  void framingIsNoted() {
    assertTrue(HttpHeaders.of("Transfer-ENCODING", "x").mayHaveFraming());
    assertTrue(HttpHeaders.of("a", "x", "date", "x").mayHaveFraming());
    assertFalse(FIELDS.mayHaveFraming());
    assertFalse(HttpHeaders.of("date", "x").toBuilder().remove("Date").build().mayHaveFraming());
  }

  @Test
  void sizeIsBounded() {
    HttpHeaders.Builder builder = HttpHeaders.builder();
    for (int i = 0; i < 70; i++) {
      builder.add("a", "x".repeat(1000));
    }
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(IllegalArgumentException.class, () -> HttpHeaders.of("a"));
  }

  @Test
  void namesAreTokens() {
    for (String name : new String[] {"", " ", "a b", "a:", "\u00e4", "a\r\n", "\u0161"}) {
      assertThrows(IllegalArgumentException.class, () -> HttpHeaders.of(name, "x"));
    }
  }

  @Test
  void singleValueIsOneThatIsNotRepeated() {
    HttpHeaders headers = HttpHeaders.of("A", "1", "b", "2", "a", "1", "c", "");
    assertEquals("2", headers.getSingle("B"));
    assertEquals("", headers.getSingle("c"));
    assertNull(headers.getSingle("a"));
    assertNull(headers.getSingle("d"));
  }
}
