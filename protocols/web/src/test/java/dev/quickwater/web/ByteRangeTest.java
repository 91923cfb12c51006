package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpHeaders;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 section 14, on a file of 100 bytes.
final class ByteRangeTest {

  private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05Z");

  private static final Validators STATE =
      new Validators(new EntityTag("tag", false), MODIFIED, true);

  private static ByteRange range(String value) {
    return ByteRange.of(HttpHeaders.of("Range", value), 100, STATE);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, 1",
    "bytes=0-99, 0, 100",
    "bytes=10-19, 10, 10",
    "bytes=99-, 99, 1",
    "bytes=50-1000, 50, 50",
    "bytes=-1, 99, 1",
    "bytes=-100, 0, 100",
    "bytes=-1000, 0, 100",
    "bytes=0-, 0, 100",
    "bytes=5-999999999999999999, 5, 95"
  })
  void oneRangeIsHonoured(String value, long first, long length) {
    assertEquals(new ByteRange(first, length, 100), range(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=999999999999999999-"})
  void rangeOutsideIsNotSatisfiable(String value) {
    assertFalse(range(value).isSatisfiable());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=5-4",
        "bytes=1-2,3-4",
        "bytes=0-0,-1",
        "lines=1-2",
        "bytes=+1-2",
        "bytes=1--2",
        "bytes=0x1-2",
        "bytes=9999999999999999999-",
        "bytes= 1 - 2",
        "bytes=\u00b2-2"
      })
  void everythingElseIsTheWhole(String value) {
    assertTrue(range(value).isWhole());
  }

  @Test
  void floodOfRangesIsTheWhole() {
    assertTrue(range("bytes=" + "0-0,".repeat(10_000) + "1-1").isWhole());
    assertTrue(
        ByteRange.of(HttpHeaders.of("Range", "bytes=0-0", "Range", "bytes=1-1"), 100, STATE)
            .isWhole());
  }

  private static boolean isWholeIf(String... conditions) {
    HttpHeaders.Builder fields = HttpHeaders.builder().add("range", "bytes=0-0");
    for (String condition : conditions) {
      fields.add("if-range", condition);
    }
    return ByteRange.of(fields.build(), 100, STATE).isWhole();
  }

  @Test
  void conditionOfARangeIsTheStrongTag() {
    assertFalse(isWholeIf("\"tag\""));
    assertTrue(isWholeIf("W/\"tag\""));
    assertTrue(isWholeIf("\"tag\", \"tag\""));
    assertTrue(isWholeIf("tag"));
    Validators weak = new Validators(new EntityTag("tag", true), MODIFIED, true);
    HttpHeaders fields = HttpHeaders.of("range", "bytes=0-0", "if-range", "W/\"tag\"");
    assertTrue(ByteRange.of(fields, 100, weak).isWhole());
  }

  @Test
  void dateIsNoConditionIfThereAreSeveralForms() {
    Validators several = new Validators(STATE.tag(), MODIFIED, false);
    HttpHeaders date = HttpHeaders.of("range", "bytes=0-0", "if-range", HttpDate.format(MODIFIED));
    assertTrue(ByteRange.of(date, 100, several).isWhole());
  }

  @Test
  void conditionOfARangeIsTheExactDate() {
    String date = HttpDate.format(MODIFIED);
    assertFalse(isWholeIf(date));
    assertTrue(isWholeIf(HttpDate.format(MODIFIED.plusSeconds(1))));
    assertTrue(isWholeIf(HttpDate.format(MODIFIED.minusSeconds(1))));
    assertTrue(isWholeIf(date, date));
    assertTrue(isWholeIf("\"x\""));
  }

  @Test
  void emptyFileHasNoRanges() {
    assertFalse(ByteRange.of(HttpHeaders.of("Range", "bytes=0-0"), 0, STATE).isSatisfiable());
    assertTrue(ByteRange.of(HttpHeaders.of("Range", "bytes=-5"), 0, STATE).isWhole());
    assertTrue(ByteRange.of(HttpHeaders.EMPTY, 0, STATE).isWhole());
  }
}
