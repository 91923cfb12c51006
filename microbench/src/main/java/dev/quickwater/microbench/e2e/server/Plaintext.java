package dev.quickwater.microbench.e2e.server;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The answer that every server under measurement gives to `GET /plaintext`.
///
/// The bytes are the same everywhere, so that no server wins by sending less.
public final class Plaintext {

  public static final String PATH = "/plaintext";
  public static final String TYPE = "text/plain";
  public static final String SERVER = "quickwater";
  public static final String BODY = "Hello, World!";

  /// `DateTimeFormatter.RFC_1123_DATE_TIME` writes one-digit days, which RFC 9110 section 5.6.7
  /// forbids.
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

  private Plaintext() {}

  /// The value of the `Date` field at this moment.
  public static String date() {
    return DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  /// The whole response, for servers that answer a constant.
  static byte[] response() {
    String text =
        "HTTP/1.1 200 OK\r\nContent-Type: "
            + TYPE
            + "\r\nContent-Length: "
            + BODY.length()
            + "\r\nServer: "
            + SERVER
            + "\r\nDate: "
            + date()
            + "\r\n\r\n"
            + BODY;
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
