package dev.quickwater.http1.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http1.HeadsAccess;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http1.Parsing;
import dev.quickwater.http1.RequestParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// No method of the API writes CR, LF or NUL from texts of the application (CVE-2022-41915,
/// CVE-2025-67735, CVE-2026-41417, -42578). The texts are random with a fixed seed and contain many
/// such characters.
final class ResponseSplittingTest {

  private static final List<String> PARTS =
      List.of(
          "\r\n",
          "\r",
          "\n",
          "\0",
          "a",
          "Set-Cookie: x=y",
          ":",
          " ",
          "\t",
          "\u010d\u010a",
          "\u0d00",
          "\u560a\u560d",
          "\u2028",
          "\u0085",
          "HTTP/1.1 200 OK",
          "\r\n\r\n",
          "\u007f",
          "\u00e4",
          "b",
          "c",
          "d",
          "-");

  private final Random random = new Random(2026);

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append(PARTS.get(random.nextInt(PARTS.size())));
    }
    return text.toString();
  }

  /// Requires a head or trailers of fields `X...: value`, with no more lines than fields.
  private static void assertLines(String wire, int most) {
    String[] lines = wire.split("\r\n", -1);
    assertTrue(lines.length <= most + 3, wire);
    String without = wire.replace("\r\n", "");
    for (char c : new char[] {'\r', '\n', '\0'}) {
      assertEquals(-1, without.indexOf(c), wire);
    }
  }

  private HttpHeaders fields(int[] made) {
    HttpHeaders.Builder builder = HttpHeaders.builder();
    for (int i = 0; i < 3; i++) {
      String name = random.nextBoolean() ? "x" + i : text();
      String value = text();
      try {
        switch (random.nextInt(3)) {
          case 0 -> builder.add(name, value);
          case 1 -> builder.set(name, value);
          default -> {
            HttpHeaders one = HttpHeaders.of(name, value);
            builder = builder.build().toBuilder().addAll(one);
          }
        }
        made[0]++;
      } catch (IllegalArgumentException _) {
        // refused, as it should be if it would hurt
      }
    }
    return builder.build();
  }

  private interface Encoding {
    void to(ByteBuf out);
  }

  private static String wire(Encoding encoding) {
    ByteBuf out = ByteBufAllocator.shared().allocate(64);
    encoding.to(out);
    String text = out.toString(StandardCharsets.ISO_8859_1);
    out.release();
    return text;
  }

  @Test
  void headsInformationalResponsesAndTrailers() {
    for (int i = 0; i < 20_000; i++) {
      int[] made = {0};
      HttpHeaders fields = fields(made);
      ResponseHead head = ResponseHead.of(HttpStatus.of(200 + i % 800), fields);
      assertLines(wire(out -> HeadsAccess.response(out, head)), head.headers().size() + 2);
      assertLines(wire(out -> HeadsAccess.informational(out, fields)), fields.size() + 1);
      assertLines(wire(out -> HeadsAccess.lastChunk(out, fields)), fields.size() + 1);
    }
  }

  @Test
  void fieldsOfARequestThatAreSentBack() throws Exception {
    RequestParser parser = new RequestParser(Http1Settings.DEFAULT);
    parser.parse(
        ByteBuf.wrap(Parsing.bytes("GET / HTTP/1.1\r\nHost: a\r\nX:   y\t\r\nZ:\r\n\r\n")));
    ResponseHead head = ResponseHead.of(HttpStatus.OK, parser.request().headers()).withLength(1);
    for (int i = 0; i < 3; i++) {
      assertEquals(
          "http/1.1 200 ok\r\nx: y\r\nz: \r\ncontent-length: 1\r\ndate: d\r\n\r\n",
          wire(out -> HeadsAccess.response(out, head)).toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void methodsAndTargets() {
    for (int i = 0; i < 100_000; i++) {
      String text = text();
      try {
        assertClean(HttpMethod.of(text).name());
      } catch (IllegalArgumentException _) {
        // refused
      }
      for (String target : List.of(text, "/" + text, "http://" + text, "http://a/" + text)) {
        try {
          HttpTarget parsed = HttpTarget.of(target);
          assertClean(parsed.toString());
          assertClean(parsed.rawPath());
          assertClean(String.valueOf(parsed.rawQuery()));
          assertClean(String.valueOf(parsed.authority()));
        } catch (IllegalArgumentException _) {
          // refused
        }
      }
    }
  }

  private static void assertClean(String text) {
    for (int i = 0; i < text.length(); i++) {
      assertTrue(text.charAt(i) > 0x20 && text.charAt(i) < 0x7f, text);
    }
  }

  @Test
  void everyCharacterInATarget() {
    for (char c = 0; c < 0x300; c++) {
      String target = "/a" + c + "b";
      if (c > 0x20 && c < 0x7f && c != '#') {
        assertEquals(target, HttpTarget.of(target).toString());
      } else {
        assertThrows(IllegalArgumentException.class, () -> HttpTarget.of(target));
      }
    }
  }

  @Test
  void everyCharacterInAFieldOfAResponse() {
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
  void statusesAreThreeDigits() {
    for (int code : new int[] {Integer.MIN_VALUE, -200, 0, 99, 1000, 20_000}) {
      assertThrows(IllegalArgumentException.class, () -> HttpStatus.of(code));
    }
  }
}
