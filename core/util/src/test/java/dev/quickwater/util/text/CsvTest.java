package dev.quickwater.util.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 4180.
final class CsvTest {

  @Test
  void whatNeedsQuotesGetsThem() {
    String[][] pairs = {
      {"a,b", "'a,b'"},
      {"a'b", "'a''b'"},
      {"'", "''''"},
      {"'123'", "'''123'''"},
      {",", "','"},
      {"need'q,s'", "'need''q,s'''"}
    };
    for (String[] pair : pairs) {
      String field = pair[0].replace('\'', '"');
      String written = pair[1].replace('\'', '"');
      assertEquals(written, Csv.escape(field));
      assertEquals(written, Csv.escape(new StringBuilder(field)));
      assertEquals(field, Csv.unescape(written));
    }
  }

  @Test
  void lineEndsNeedQuotesAtAnyPlaceOfAnyLength() {
    for (int length = 1; length < 120; length++) {
      for (int at = 0; at < length; at++) {
        for (char c : new char[] {'\r', '\n', ','}) {
          StringBuilder field = new StringBuilder("é".repeat(length));
          field.setCharAt(at, c);
          assertEquals('"' + field.toString() + '"', Csv.escape(field.toString()));
        }
      }
    }
  }

  @Test
  void aPlainFieldIsReturnedItself() {
    for (String plain : new String[] {"", "netty", "  spaces\tstay  ", "é😀", "x".repeat(5_000)}) {
      assertSame(plain, Csv.escape(plain));
      assertSame(plain, Csv.unescape(plain));
      StringBuilder builder = new StringBuilder(plain);
      assertSame(builder, Csv.escape(builder));
    }
  }

  @Test
  void writtenLinesAreReadBack() {
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      List<String> fields = new ArrayList<>();
      List<String> written = new ArrayList<>();
      for (int n = random.nextInt(5); n >= 0; n--) {
        String field = RandomTexts.draw(random, random.nextInt(8), "ab,\"\r\n é");
        fields.add(field);
        written.add(Csv.escape(field));
        assertEquals(field, Csv.unescape(Csv.escape(field)).toString());
      }
      assertEquals(fields, Csv.split(String.join(",", written)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"", "a\"b", "\"a", "\"a\"b", "\"a\"\"", "a\nb", "\r", "\"a\" ", " \"a\""})
  void whatNoWriterWritesIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> Csv.split(line));
    assertThrows(IllegalArgumentException.class, () -> Csv.unescape(line));
  }

  @Test
  void aLineIsNoField() {
    var e = assertThrows(IllegalArgumentException.class, () -> Csv.unescape("a,b"));
    assertTrue(e.getMessage().contains("index 1"), e::getMessage);
    assertThrows(IllegalArgumentException.class, () -> Csv.unescape("\"a\",b"));
  }

  @Test
  void emptyFieldsAreFields() {
    assertEquals(List.of(""), Csv.split(""));
    assertEquals(List.of("", "", ""), Csv.split(",\"\","));
  }

  @Test
  void theNumberOfFieldsIsLimited() {
    assertEquals(3, Csv.split("a,b,c", 3).size());
    var e = assertThrows(IllegalArgumentException.class, () -> Csv.split("a,b,c,d", 3));
    assertTrue(e.getMessage().contains("more than 3 fields (maxFields)"), e::getMessage);
    assertEquals(Csv.MAX_FIELDS, Csv.split(",".repeat(Csv.MAX_FIELDS - 1)).size());
    assertThrows(IllegalArgumentException.class, () -> Csv.split(",".repeat(Csv.MAX_FIELDS)));
    assertThrows(IllegalArgumentException.class, () -> Csv.split("a", 0));
  }
}
