package dev.quickwater.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Dates in the fixed form of RFC 9110 section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
public final class HttpDate {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HttpDate() {}

  /// The text of a time.
  public static String format(Instant time) {
    return FORMAT.format(time);
  }

  /// The time of a text, or null when it is not in this form; recipients ignore such a date.
  public static @Nullable Instant parse(String text) {
    try {
      return ZonedDateTime.parse(text, FORMAT).toInstant();
    } catch (DateTimeParseException _) {
      return null;
    }
  }
}
