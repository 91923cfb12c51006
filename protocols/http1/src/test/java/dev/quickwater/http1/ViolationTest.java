package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A rejected request closes the connection: the response announces the close, and no further byte
/// is interpreted.
final class ViolationTest {

  private static final String NEXT = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

  @ParameterizedTest
  @CsvSource({
    "400, GET / HTTP/1.1~Host: a~X : y",
    "400, GET / HTTP/1.1~",
    "414, GET /LONG HTTP/1.1~Host: a",
    "417, POST / HTTP/1.1~Host: a~Expect: x",
    "431, GET / HTTP/1.1~Host: a~X: LONG",
    "400, POST / HTTP/1.1~Host: a~Transfer-Encoding: gzip",
    "501, 'POST / HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked'",
    "505, GET / HTTP/2.0~Host: a"
  })
  void isAnsweredAndClosed(int status, String head) {
    String text = head.replace("LONG", "x".repeat(40_000)).replace("~", "\r\n") + "\r\n\r\n";
    try (TestServer server = TestServer.paths()) {
      server.send(text + NEXT).send(NEXT);
      String answer = server.sent();
      assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
      assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
      assertEquals(0, server.exchanges.size());
      server.assertLingers();
    }
  }

  @Test
  void earlierAnswersComeFirst() {
    try (TestServer server = TestServer.paths()) {
      server.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nbroken\r\n\r\n" + NEXT);
      assertTrue(server.sent().startsWith(TestServer.ok("/1") + "HTTP/1.1 400 Bad Request"));
      assertEquals(1, server.exchanges.size());
    }
  }

  @Test
  void answerDoesNotRepeatWhatThePeerSent() {
    try (TestServer server = TestServer.paths()) {
      server.send("GET / HTTP/1.1\r\nHost: a\r\nX<script>: y\r\n\r\n");
      String answer = server.sent();
      assertTrue(answer.startsWith("HTTP/1.1 400") && !answer.contains("script"), answer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET /LONG HTTP/1.1~Host: a",
    "GET / HTTP/1.1~Host: a~X: LONG",
    "GET / HTTP/1.1~Host: a~MANY",
    "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~1;LONG",
    "POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~0~X: LONG",
    "POST / HTTP/1.1~Host: a~Content-Length: 99999999",
  })
  void answerNamesNoSetting(String head) {
    String text =
        head.replace("LONG", "x".repeat(40_000))
            .replace("MANY", "x: y~".repeat(200))
            .replace("~", "\r\n");
    try (TestServer server = new TestServer(BodyLog::of)) {
      server.send(text + "\r\n\r\n");
      String answer = server.sent();
      assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
      assertFalse(answer.contains("max"), answer);
    }
  }

  @Test
  void readerThatTakesTheFailureAnswersAlone() {
    try (TestServer server = TestServer.manual()) {
      server.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      boolean[] failed = {false};
      server
          .last()
          .requestBody()
          .read(
              new BodyReader() {
                @Override
                public void data(ByteBuf bytes) {
                  bytes.release();
                }

                @Override
                public void end(HttpHeaders trailers) {}

                @Override
                public void failed(Exception cause) {
                  failed[0] = true;
                }
              });
      server.send("nonsense" + NEXT);
      assertTrue(failed[0]);
      assertEquals("", server.sent());
      server.last().respond(HttpResponse.text(HttpStatus.of(422), "mine"));
      String answer = server.sent();
      assertTrue(answer.startsWith("HTTP/1.1 422"), answer);
      assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
      assertEquals(1, server.exchanges.size());
      server.assertLingers();
    }
  }

  @Test
  void answerToHeadHasNoBody() {
    try (TestServer server = TestServer.manual()) {
      server.send("HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      BodyLog.of(server.last());
      server.send("nonsense");
      String answer = server.sent();
      assertTrue(answer.startsWith("HTTP/1.1 400") && answer.endsWith("\r\n\r\n"), answer);
    }
  }
}
