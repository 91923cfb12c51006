package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 9110 section 12.5.3.
final class ContentCodingTest {

  private static String accepted(String... fields) {
    Stream<String> tokens =
        ContentCoding.accepted(List.of(fields), ContentCoding.OF_FILES).stream()
            .map(ContentCoding::token);
    return String.join(" ", tokens.toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, deflate, br, zstd | br zstd gzip",
        "GZip | gzip",
        "x-gzip;q=1.0 | gzip",
        "gzip;q=0.5, br;q=0.4, zstd;q=0.501 | zstd gzip br",
        "gzip;q=0 | ''",
        "gzip;q=0.000, br | br",
        "* | br zstd gzip",
        "*;q=0 | ''",
        "br;q=0, * | zstd gzip",
        "gzip, *;q=0 | gzip",
        "identity | ''",
        "identity;q=0.5, gzip;q=0.3, br | br",
        "identity, gzip | gzip",
        "identity;q=0, gzip;q=0.1 | gzip",
        "gzip;q=2 | ''",
        "gzip;q=1.001 | ''",
        "gzip;q=0.1234 | ''",
        "gzip;q= | ''",
        "gzip;q=-1 | ''",
        "gzip;x=1 | ''",
        "gzip; Q=0.7 | gzip",
        "gzip;q=1. | gzip",
        ", ,gzip | gzip",
      })
  void codingsAreSortedByQuality(String field, String expected) {
    assertEquals(expected, accepted(field));
  }

  @Test
  void fieldsAreOneListAndNoneIsPlain() {
    assertEquals("", accepted());
    assertEquals("", accepted(""));
    assertEquals("br gzip", accepted("gzip;q=0.1", "br"));
  }

  @Test
  void floodOfMembersIsCut() {
    assertEquals("gzip", accepted("gzip," + "x,".repeat(1_000_000) + "br"));
  }
}
