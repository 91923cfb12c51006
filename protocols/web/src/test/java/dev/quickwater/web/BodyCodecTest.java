package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class BodyCodecTest {

  /// Numbers as text; 13 is refused with a status, -14 cannot be encoded.
  private static final BodyCodec<Integer> NUMBER =
      new BodyCodec<>() {
        @Override
        public String contentType() {
          return "text/number";
        }

        @Override
        public Integer decode(byte[] body) {
          int value = Integer.parseInt(new String(body, StandardCharsets.US_ASCII));
          if (value == 13) {
            throw new HttpException(HttpStatus.UNPROCESSABLE_CONTENT, "13 is refused");
          }
          return value;
        }

        @Override
        public byte[] encode(Integer value) throws IOException {
          if (value == -14) {
            throw new IOException("fault of the test");
          }
          return Integer.toString(value).getBytes(StandardCharsets.US_ASCII);
        }
      };

  private static RunningServer server() {
    return Servers.start(
        "nio",
        new Routes()
            .post(
                "/loop",
                x -> x.respond(NUMBER.read(x, 4).map(n -> NUMBER.response(HttpStatus.OK, n + 1))))
            .post(
                "/blocking",
                Blocking.handler(x -> NUMBER.response(HttpStatus.OK, NUMBER.read(x, 4) + 1))));
  }

  private static Wire.Answer post(RunningServer server, String path, String type, String body)
      throws IOException {
    try (Wire wire = new Wire(server)) {
      String field = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
      wire.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + field);
      wire.send("Content-Length: " + body.length() + "\r\n\r\n" + body);
      return wire.answer();
    }
  }

  @Test
  void valuesAreReadAndAnswered() throws IOException {
    try (RunningServer server = server()) {
      for (String path : new String[] {"/loop", "/blocking"}) {
        Wire.Answer answer = post(server, path, "Text/Number; charset=\"UTF-8\"", "41");
        assertEquals(200, answer.status(), path);
        assertEquals("42", answer.text());
        assertEquals("text/number", answer.field("content-type"));
        assertEquals(200, post(server, path, "text/number", "1233").status());
      }
    }
  }

  @Test
  void bodiesThatCannotBeReadAreFaultsOfTheClient() throws IOException {
    try (RunningServer server = server()) {
      for (String path : new String[] {"/loop", "/blocking"}) {
        Wire.Answer other = post(server, path, "application/json", "41");
        assertEquals(415, other.status(), path);
        assertEquals("the body is expected as text/number\n", other.text());
        assertEquals(415, post(server, path, "", "41").status());
        assertEquals(415, post(server, path, "text/number; charset=utf-16", "41").status());
        Wire.Answer malformed = post(server, path, "text/number", "x");
        assertEquals(400, malformed.status());
        assertEquals("the body is not a valid text/number\n", malformed.text());
        assertEquals(422, post(server, path, "text/number", "13").status());
        assertEquals(413, post(server, path, "text/number", "12345").status());
        assertEquals(413, chunked(server, path).status());
      }
    }
  }

  private static Wire.Answer chunked(RunningServer server, String path) throws IOException {
    try (Wire wire = new Wire(server)) {
      wire.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: text/number\r\n");
      wire.send("Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n");
      return wire.answer();
    }
  }

  @Test
  void valueThatCannotBeEncodedIsAFaultOfTheServer() throws IOException {
    assertThrows(IllegalArgumentException.class, () -> NUMBER.response(HttpStatus.OK, -14));
    try (RunningServer server = server()) {
      assertEquals(500, post(server, "/loop", "text/number", "-15").status());
      assertEquals(500, post(server, "/blocking", "text/number", "-15").status());
    }
  }

  @Test
  void clientsSendAndReadValues() throws Exception {
    try (RunningServer server = server();
        HttpClient client = HttpClient.create()) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, "http://127.0.0.1:" + server.port() + "/loop")
              .build();
      HttpRequest request = NUMBER.request(head, 41);
      assertEquals(42, NUMBER.read(client.blocking().send(request)));
      HttpResponse text = HttpResponse.text("42");
      assertThrows(IOException.class, () -> NUMBER.read(text));
    }
  }

  @Test
  void typesAreComparedWithoutParameters() {
    assertTrue(MediaType.matches("a/b", "A/B ; x=y"));
    assertTrue(MediaType.matches("a/b", "a/b;charset=US-ASCII"));
    assertFalse(MediaType.matches("a/b", "a/bc"));
    assertFalse(MediaType.matches("a/b", null));
    assertFalse(MediaType.matches("a/b", "a/b, a/b"));
    assertFalse(MediaType.matches("a/b", "a/b; charset=latin1"));
  }
}
