package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DateCacheTest {

  private static final long SECOND = 1_000_000_000L;

  private static Instant time(byte[] line) {
    String text = new String(line, StandardCharsets.US_ASCII);
    assertTrue(text.startsWith("date: ") && text.endsWith(" GMT\r\n\r\n"), text);
    Instant parsed = HttpDate.parse(text.substring(6).strip());
    assertNotNull(parsed, text);
    return parsed;
  }

  @Test
  void saysTheCurrentSecond() {
    Duration age = Duration.between(time(DateCache.line(77 * SECOND)), Instant.now());
    assertTrue(age.toMillis() >= 0 && age.toMillis() < 5_000, age.toString());
  }

  @Test
  void isMadeOnceASecond() {
    byte[] first = DateCache.line(1_000 * SECOND);
    assertSame(first, DateCache.line(1_000 * SECOND));
    assertNotSame(first, DateCache.line(1_001 * SECOND));
  }

  @Test
  void anyStartOfTheClockWorks() {
    for (long now : new long[] {0, -SECOND, Long.MAX_VALUE, Long.MIN_VALUE, 1}) {
      Duration age = Duration.between(time(DateCache.line(now)), Instant.now());
      assertEquals(0, age.toMinutes(), "at " + now);
    }
  }
}
