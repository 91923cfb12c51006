package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.FieldSpan;
import dev.quickwater.http.engine.HeaderField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpHeadersTest {

  private static final HttpHeaders FIELDS = HttpHeaders.of("A", "1", "b", "2", "a", "3");

  /// A parsed block of lines as they were received.
  private static HttpHeaders parsed(String... lines) {
    byte[] block =
        ("GET / HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    long[] spans = new long[lines.length];
    int at = 16;
    for (int i = 0; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      String value = lines[i].substring(colon + 1).strip();
      int skipped = lines[i].substring(colon + 1).indexOf(value);
      spans[i] = FieldSpan.of(at, colon, at + colon + 1 + skipped, value.length());
      at += lines[i].length() + 2;
    }
    return HttpHeaders.parsed(EngineAccess.GRANTED, block, spans);
  }

  private static HttpHeaders ofFields(String... namesAndValues) {
    HeaderField[] fields = new HeaderField[namesAndValues.length / 2];
    for (int i = 0; i < fields.length; i++) {
      fields[i] =
          new HeaderField(
              HeaderName.of(namesAndValues[2 * i]),
              namesAndValues[2 * i + 1].getBytes(StandardCharsets.ISO_8859_1),
              false);
    }
    return HttpHeaders.ofFields(EngineAccess.GRANTED, fields);
  }

  /// The same fields in each way of construction.
  static Stream<HttpHeaders> equalBlocks() {
    return Stream.of(
        HttpHeaders.of("A", "1", "b", "\u00e4 x", "a", "", "Content-Type", "t"),
        parsed("A: 1", "b: \u00e4 x", "a:", "Content-Type: t"),
        parsed("a:1", "B:\t\u00e4 x ", "A: ", "content-type: t"),
        ofFields("a", "1", "b", "\u00e4 x", "a", "", "content-type", "t"));
  }

  private static String wire(HttpHeaders headers) {
    ByteBuf out = ByteBuf.wrap(new byte[4096]).writerIndex(0);
    headers.writeTo(EngineAccess.GRANTED, out);
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @MethodSource("equalBlocks")
  void accessIsTheSameHoweverTheBlockWasMade(HttpHeaders headers) {
    HttpHeaders built = equalBlocks().findFirst().orElseThrow();
    assertEquals(built, headers);
    assertEquals(headers, built);
    assertEquals(built.hashCode(), headers.hashCode());
    assertEquals("{a: 1, b: \u00e4 x, a: , content-type: t}", headers.toString());
    assertEquals(4, headers.size());
    assertSame(HeaderName.CONTENT_TYPE, headers.name(3));
    assertEquals(HeaderName.of("B"), headers.name(1));
    assertEquals("\u00e4 x", headers.get("B"));
    assertEquals("t", headers.get(HeaderName.CONTENT_TYPE));
    assertEquals(List.of("1", ""), headers.getAll("A"));
    assertEquals(List.of("1", ""), headers.getAll(HeaderName.of("a")));
    assertEquals(2, headers.indexOf("a", 1));
    assertEquals(-1, headers.indexOf("a", 3));
    assertTrue(headers.contains(HeaderName.CONTENT_TYPE));
    assertFalse(headers.contains(HeaderName.ACCEPT));
    assertFalse(headers.contains(""));
    assertNull(headers.get("c"));
    assertFalse(headers.isSensitive(0));
    assertEquals(3, headers.valueLength(1));
    byte[] value = new byte[5];
    headers.copyValue(1, value, 1);
    assertArrayEquals(new byte[] {0, (byte) 0xe4, ' ', 'x', 0}, value);
    List<String> visited = new ArrayList<>();
    headers.forEach((n, v) -> visited.add(n + "=" + v));
    assertEquals(List.of("a=1", "b=\u00e4 x", "a=", "content-type=t"), visited);
    assertThrows(IndexOutOfBoundsException.class, () -> headers.value(4));
    assertThrows(IndexOutOfBoundsException.class, () -> headers.isSensitive(4));
  }

  @ParameterizedTest
  @MethodSource("equalBlocks")
  void encodedFormIsTheSameWhenRepeated(HttpHeaders headers) {
    String first = wire(headers);
    assertEquals("a: 1\r\nb: \u00e4 x\r\na: \r\ncontent-type: t\r\n", first.toLowerCase());
    for (int i = 0; i < 3; i++) {
      assertEquals(first, wire(headers));
    }
    assertEquals(
        first, new String(headers.wire(EngineAccess.GRANTED), StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @MethodSource("equalBlocks")
  void builderCopiesFields(HttpHeaders headers) {
    assertEquals(headers, headers.toBuilder().build());
    assertEquals(
        HttpHeaders.of("a", "1", "a", "", "content-type", "t", "b", "4"),
        headers.toBuilder().set("B", "4").build());
    assertEquals(
        HttpHeaders.of("b", "\u00e4 x", "content-type", "t"),
        headers.toBuilder().remove("A").build());
    assertEquals(9, headers.toBuilder().addAll(headers).add("c", "d").build().size());
  }

  @Test
  void whiteSpaceInTheMiddleOfParsedLinesIsNotForwarded() {
    assertEquals(
        "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n", wire(parsed("A: 1", "B:  2", "C:\t3 ", "D: 4")));
    assertEquals("A: 1\r\nD: 4\r\n", wire(without(parsed("A: 1", "B: 2", "C: 3", "D: 4"))));
  }

  /// The block without its inner fields, as the parser drops fields.
  private static HttpHeaders without(HttpHeaders headers) {
    byte[] block = "\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertEquals(4, headers.size());
    return HttpHeaders.parsed(
        EngineAccess.GRANTED,
        block,
        new long[] {FieldSpan.of(2, 1, 5, 1), FieldSpan.of(20, 1, 23, 1)});
  }

  @Test
  void namesInLowerCaseOnTheWireOfBuiltBlocks() {
    assertEquals("a: 1\r\nb: 2\r\na: 3\r\n", wire(FIELDS));
  }

  @Test
  void whiteSpaceAroundValuesIsDropped() {
    assertEquals("x y", HttpHeaders.of("a", " \tx y\t ").get("a"));
    assertEquals("", HttpHeaders.of("a", " \t").get("a"));
  }

  @Test
  void setReplacesAllAndRemoveTakesAll() {
    assertEquals(HttpHeaders.of("b", "2", "a", "4"), FIELDS.toBuilder().set("A", "4").build());
    assertEquals(HttpHeaders.of("b", "2"), FIELDS.toBuilder().remove("a").build());
    assertEquals(FIELDS, FIELDS.toBuilder().remove("no token").build());
  }

  @Test
  void refusedValueLeavesTheBuilderAsItWas() {
    HttpHeaders.Builder builder = FIELDS.toBuilder();
    assertThrows(IllegalArgumentException.class, () -> builder.set("a", "x\r\ny"));
    assertEquals(FIELDS, builder.build());
  }

  @Test
  void tokensAreFoundInLists() {
    HttpHeaders fields = HttpHeaders.of("Vary", "x, Origin ,\tcookie", "vary", "y");
    assertTrue(fields.containsToken("vary", "origin"));
    assertTrue(fields.containsToken(HeaderName.VARY, "Y"));
    assertFalse(fields.containsToken("vary", "or"));
    assertFalse(fields.containsToken("", "y"));
  }

  @Test
  void differentFieldsAreNotEqual() {
    assertNotEquals(HttpHeaders.of("a", "b"), HttpHeaders.of("a", "B"));
    assertNotEquals(HttpHeaders.of("a", "b"), parsed("A: b", "A: b"));
    assertNotEquals(HttpHeaders.of("a", "b", "c", "d"), HttpHeaders.of("c", "d", "a", "b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "CONNECTION",
        "keep-alive",
        "Proxy-Connection",
        "upgrade"
      })
  void engineOwnedFieldsAreRefusedByName(String name) {
    String lower = name.toLowerCase(java.util.Locale.ROOT);
    for (org.junit.jupiter.api.function.Executable attempt :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> HttpHeaders.of(name, "x"),
            () -> HttpHeaders.builder().set(name, "x"),
            () -> HttpHeaders.builder().addSensitive(HeaderName.of(name), "x"))) {
      String message = assertThrows(IllegalArgumentException.class, attempt).getMessage();
      assertTrue(message.contains(lower), message);
    }
  }

  @Test
  void sensitiveFieldsAreMarkedAndNotPrinted() {
    HttpHeaders headers =
        HttpHeaders.builder()
            .addSensitive(HeaderName.AUTHORIZATION, "secret")
            .add("a", "b")
            .build();
    assertTrue(headers.isSensitive(0));
    assertFalse(headers.isSensitive(1));
    assertEquals("secret", headers.get("authorization"));
    assertFalse(headers.toString().contains("secret"));
    assertTrue(headers.toBuilder().build().isSensitive(0));
  }

  @Test
  void dateIsAllowed() {
    assertEquals("x", HttpHeaders.of("Date", "x").get(HeaderName.DATE));
  }

  @Test
  void noFieldsAreOneObject() {
    assertSame(HttpHeaders.EMPTY, HttpHeaders.of());
    assertSame(HttpHeaders.EMPTY, FIELDS.toBuilder().clear().build());
    assertSame(HttpHeaders.EMPTY, parsedEmpty());
  }

  private static HttpHeaders parsedEmpty() {
    return HttpHeaders.parsed(EngineAccess.GRANTED, new byte[4], new long[0]);
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
  void everyCharacterOfAValueIsChecked() {
    for (char c = 0; c < 0x300; c++) {
      String value = "a" + c + "b";
      if (c == '\t' || c >= 0x20 && c < 0x100 && c != 0x7f) {
        assertEquals(value, HttpHeaders.of("x", value).value(0));
      } else {
        assertThrows(IllegalArgumentException.class, () -> HttpHeaders.of("x", value));
      }
    }
  }

  @Test
  void singleValueIsOneThatIsNotRepeated() {
    HttpHeaders headers = HttpHeaders.of("A", "1", "b", "2", "a", "1", "c", "");
    assertEquals("2", headers.getSingle("B"));
    assertEquals("", headers.getSingle("c"));
    assertNull(headers.getSingle("a"));
    assertNull(headers.getSingle("d"));
    assertNull(headers.getSingle(HeaderName.of("a")));
  }

  @Test
  void engineMethodsNeedTheWitness() {
    assertThrows(
        NullPointerException.class, () -> HttpHeaders.parsed(null, new byte[0], new long[1]));
    assertThrows(NullPointerException.class, () -> HttpHeaders.ofFields(null, new HeaderField[1]));
    assertThrows(NullPointerException.class, () -> FIELDS.wire(null));
    assertThrows(NullPointerException.class, () -> FIELDS.field(null, 0));
  }
}
