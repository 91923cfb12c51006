package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Decoding;
import dev.quickwater.codec.verify.Events;
import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of the response parser for a text, split in every way; one character is one byte.
public final class Responses {

  private Responses() {}

  /// A verifier of parsers that expect responses to requests of these methods. A name with a slash
  /// is a method and the protocol that the request names.
  public static CodecVerifier verifier(Http1Settings settings, String... requests) {
    return CodecVerifier.of(() -> new Expected(settings, requests));
  }

  /// The outcome with the default settings.
  public static Outcome of(String text, String... requests) {
    return verifier(Http1Settings.DEFAULT, requests).verify(Parsing.bytes(text));
  }

  /// Requires that all bytes are responses and returns their events.
  public static List<Object> accepted(String text, String... requests) {
    Outcome outcome = of(text, requests);
    assertNull(outcome.failure(), () -> text + ": " + outcome);
    assertEquals(0, outcome.left(), text);
    return outcome.events();
  }

  /// Requires a response that is refused.
  public static void refused(String text, String... requests) {
    Outcome outcome = of(text, requests);
    Http1Exception failure =
        assertInstanceOf(
            Http1Exception.class, outcome.failure(), () -> "accepted: " + text + ": " + outcome);
    assertEquals(502, failure.status().code(), failure::getMessage);
  }

  /// Begins the responses to the requests one after the other.
  static final class Expected implements Decoding {

    final ResponseParser parser;
    private final String[] requests;
    private int begun;

    Expected(Http1Settings settings, String... requests) {
      parser = new ResponseParser(settings, 3);
      this.requests = requests;
      begin();
    }

    private void begin() {
      if (begun < requests.length) {
        String request = requests[begun++];
        int slash = request.indexOf('/');
        @Nullable String protocol = slash < 0 ? null : request.substring(slash + 1);
        parser.begin(HttpMethod.of(slash < 0 ? request : request.substring(0, slash)), protocol);
      }
    }

    @Override
    public void decode(ByteBuf in, Events events) throws Http1Exception {
      while (!parser.isTunnel()) {
        switch (parser.parse(in)) {
          case MORE -> {
            return;
          }
          case INFORM -> events.event(parser.status() + " " + parser.headers());
          case HEAD -> events.event(head());
          case DATA -> events.content(in, parser.dataLength());
          case END -> {
            events.event("end " + parser.trailers());
            begin();
          }
        }
      }
      if (in.isReadable()) {
        events.content(in, in.readableBytes());
      }
    }

    private String head() {
      return parser.version()
          + " "
          + parser.status().code()
          + " "
          + parser.headers()
          + (parser.isTunnel()
              ? " tunnel"
              : " length " + parser.head().contentLength() + (parser.hasBody() ? " body" : ""))
          + (parser.isPersistent() ? "" : " close");
    }
  }
}
