package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.engine.EncodedHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A response that is sent again has the same bytes as an equal response that is sent once.
final class KeptResponseTest {

  private static final List<Supplier<HttpResponse>> FORMS =
      List.of(
          () -> HttpResponse.text("hello"),
          () -> HttpResponse.text(""),
          () -> HttpResponse.of(HttpStatus.NO_CONTENT),
          () -> HttpResponse.of(HttpStatus.NOT_FOUND),
          () -> HttpResponse.of(HttpStatus.UPGRADE_REQUIRED),
          () -> HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, new byte[4096]),
          () -> HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, new byte[4097]),
          () ->
              HttpResponse.of(
                  HttpStatus.OK,
                  HttpHeaders.of("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                  "own date".getBytes(StandardCharsets.US_ASCII)));

  private static final List<String> REQUESTS =
      List.of(
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
          "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

  static List<Long> seeds() {
    return IntStream.range(0, 200).mapToObj(i -> (long) i).toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void sameResponseAgainHasTheSameBytesAsANewOne(long seed) {
    List<HttpResponse> kept = FORMS.stream().map(Supplier::get).toList();
    Script script = new Script(seed);
    assertEquals(
        script.run((x, form) -> x.respond(FORMS.get(form).get())),
        script.run((x, form) -> x.respond(kept.get(form))));
  }

  private static EncodedHead head() {
    return new EncodedHead(new byte[0], false, true);
  }

  @Test
  void bytesAreKeptFromTheSecondUseUntilTheDateChanges() {
    KeptResponse kept = new KeptResponse();
    EncodedHead head = head();
    byte[] body = {'b'};
    byte[] date = {'d'};
    ByteBuf sent = ByteBuf.wrap("earlier whole".getBytes(StandardCharsets.US_ASCII));
    kept.sent(head, body, date, sent, 8);
    assertNull(kept.find(head, body, date));
    kept.sent(head, body, date, sent, 8);
    assertArrayEquals("whole".getBytes(StandardCharsets.US_ASCII), kept.find(head, body, date));
    assertNull(kept.find(head, body, date.clone()));
    assertNull(kept.find(head, body.clone(), date));
    assertNull(kept.find(head(), body, date));
    byte[] tomorrow = {'t'};
    kept.sent(head, body, tomorrow, sent, 0);
    assertNull(kept.find(head, body, date));
    assertEquals(13, Objects.requireNonNull(kept.find(head, body, tomorrow)).length);
    sent.release();
  }

  @Test
  void severalOtherResponsesReplaceTheKeptOne() {
    KeptResponse kept = new KeptResponse();
    EncodedHead often = head();
    EncodedHead now = head();
    byte[] body = {'b'};
    byte[] date = {'d'};
    ByteBuf sent = ByteBuf.wrap(new byte[4]);
    kept.sent(often, body, date, sent, 0);
    kept.sent(often, body, date, sent, 0);
    kept.sent(now, body, date, sent, 0);
    assertNotNull(kept.find(often, body, date));
    for (int i = 0; i < 9; i++) {
      kept.sent(now, body, date, sent, 0);
    }
    assertNull(kept.find(often, body, date));
    assertNotNull(kept.find(now, body, date));
    sent.release();
  }

  private static String sent(TestServer server) {
    server.peer.runTasks();
    return server.peer.takeSentText().replaceAll("date: [^\r]* 20[^\r]*\r\n", "date: today\r\n");
  }

  private interface Answer {
    void to(HttpExchange exchange, int form);
  }

  /// The same requests, forms and pauses each time it runs.
  private record Script(long seed) {

    private static final int STEPS = 120;

    String run(Answer answer) {
      Random random = new Random(seed);
      int favourite = random.nextInt(FORMS.size());
      StringBuilder sent = new StringBuilder();
      try (TestServer server =
          new TestServer(x ->
              answer.to(x, random.nextInt(8) > 0 ? favourite : random.nextInt(FORMS.size())))) {
        for (int i = 0; i < STEPS && !server.peer.isClosed(); i++) {
          StringBuilder pipelined = new StringBuilder();
          for (int n = random.nextInt(3); n >= 0; n--) {
            pipelined.append(REQUESTS.get(random.nextInt(REQUESTS.size() - (i < 110 ? 1 : 0))));
          }
          sent.append(sent(server.send(pipelined.toString()))).append('\n');
          server.advance(Duration.ofMillis(random.nextInt(700)));
        }
      }
      return sent.toString();
    }
  }
}
