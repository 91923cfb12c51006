package dev.quickwater.http1.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http1.TestServer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// No path of the API puts CR, LF or NUL of the application's texts on the wire (CVE-2022-41915,
/// CVE-2025-67735, CVE-2026-41417, -42578). Random texts with a fixed seed, rich in what hurts.
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

  /// Lines of a head or of trailers whose fields are `X...: value`: no more than were made.
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
            builder = builder.build().toBuilder().add(one.name(0), one.value(0));
          }
        }
        made[0]++;
      } catch (IllegalArgumentException _) {
        // refused, as it should be if it would hurt
      }
    }
    return builder.build();
  }

  @Test
  void headsInformationalResponsesAndTrailers() {
    for (int i = 0; i < 20_000; i++) {
      int[] made = {0};
      try (TestServer server = TestServer.manual()) {
        server.get("/");
        HttpHeaders first = fields(made);
        HttpHeaders second = fields(made);
        HttpHeaders third = fields(made);
        try {
          server.last().inform(HttpResponse.of(HttpStatus.EARLY_HINTS, first));
          assertLines(server.sent(), first.size());
          server.last().respond(HttpResponse.head(HttpStatus.of(200 + i % 800), second, -1));
          server.last().flush();
          assertLines(server.sent(), second.size() + 2);
          server.last().end(third);
          assertLines(server.sent(), third.size() + 1);
        } catch (IllegalArgumentException _) {
          // a name of the engine's own
        }
      }
    }
  }

  @Test
  void fieldsOfARequestThatAreSentBack() {
    try (TestServer server =
        new TestServer(
            x -> x.respond(HttpResponse.of(HttpStatus.OK, x.request().headers(), text("x"))))) {
      server.send("GET / HTTP/1.1\r\nHost: a\r\nX:   y\t\r\nZ:\r\n\r\n");
      assertEquals(
          "HTTP/1.1 200 OK\r\nHost: a\r\nX: y\r\nZ: \r\ncontent-length: 1\r\n\r\nx", server.sent());
    }
  }

  private static ByteBuf text(String text) {
    return ByteBuf.utf8(text);
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
          assertClean(parsed.path());
          assertClean(String.valueOf(parsed.query()));
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
