package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Decoding;
import dev.quickwater.codec.verify.Events;
import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The result of the request parser for a text, split in every way; one character is one byte.
public final class Parsing {

  private Parsing() {}

  /// A verifier of parsers with these settings.
  public static CodecVerifier verifier(Http1Settings settings) {
    return CodecVerifier.of(() -> new Requests(settings));
  }

  /// The outcome with the default settings.
  public static Outcome of(String text) {
    return of(Http1Settings.DEFAULT, text);
  }

  /// The outcome with these settings.
  public static Outcome of(Http1Settings settings, String text) {
    return verifier(settings).verify(bytes(text));
  }

  /// Requires complete requests and returns their events.
  public static List<Object> accepted(String text) {
    Outcome outcome = of(text);
    assertNull(outcome.failure(), () -> text + ": " + outcome);
    assertEquals(0, outcome.left(), text);
    return outcome.events();
  }

  /// Requires a request that is refused with a status.
  public static Http1Exception refused(int status, String text) {
    return refused(Http1Settings.DEFAULT, status, text);
  }

  /// Requires a request that is refused with a status under these settings.
  public static Http1Exception refused(Http1Settings settings, int status, String text) {
    Outcome outcome = of(settings, text);
    Http1Exception failure =
        assertInstanceOf(
            Http1Exception.class, outcome.failure(), () -> "accepted: " + text + ": " + outcome);
    assertEquals(status, failure.status().code(), () -> text + ": " + failure.getMessage());
    return failure;
  }

  /// One character a byte.
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// A connection's requests as events: a line for the head, content, a line for the end.
  static final class Requests implements Decoding {

    private final RequestParser parser;

    Requests(Http1Settings settings) {
      parser = new RequestParser(settings);
    }

    @Override
    public void decode(ByteBuf in, Events events) throws Http1Exception {
      while (true) {
        switch (parser.parse(in)) {
          case MORE -> {
            return;
          }
          case HEAD -> {
            events.event(head());
            if (parser.request().contentLength() == 0) {
              parser.next();
            }
          }
          case DATA -> events.content(in, parser.dataLength());
          case END -> {
            events.event("end " + parser.trailers());
            parser.next();
          }
        }
      }
    }

    private String head() {
      RequestHead request = parser.request();
      return request
          + " "
          + parser.version()
          + " "
          + request.authority()
          + " "
          + request.headers()
          + (request.contentLength() == 0 ? "" : " length " + request.contentLength())
          + (request.protocol() == null ? "" : " to " + request.protocol())
          + (parser.isPersistent() ? "" : " close")
          + (parser.expectsContinue() ? " expects" : "");
    }
  }
}
