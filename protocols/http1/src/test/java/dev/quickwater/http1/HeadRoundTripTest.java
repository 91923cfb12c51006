package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http1.HeadEncoder.Persistence;
import dev.quickwater.http1.HeadEncoder.TargetForm;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The parser of the other side reads the values that the encoder wrote, even after a proxy has
/// parsed and written them again.
final class HeadRoundTripTest {

  private static final int ROUNDS = 20_000;

  private static final byte[] DATE = Parsing.bytes("date: D\r\n\r\n");
  private static final String TOKEN =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String[] NAMES = {
    "Accept", "content-type", "X-A", "cookie", "Set-Cookie", "te", "hosts", "upgrades", "expects"
  };

  private final Random random = new Random(2026);
  private final RequestParser requests = new RequestParser(Http1Settings.DEFAULT);
  private final ResponseParser responses = new ResponseParser(Http1Settings.DEFAULT);
  private final ByteBuf buffer = ByteBuf.wrap(new byte[1 << 15]).writerIndex(0);

  private String token() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i >= 0; i--) {
      text.append(TOKEN.charAt(random.nextInt(TOKEN.length())));
    }
    return text.toString();
  }

  private HttpHeaders fields() {
    HttpHeaders.Builder builder = HttpHeaders.builder();
    for (int i = random.nextInt(12); i > 0; i--) {
      String name = random.nextInt(3) == 0 ? token() : NAMES[random.nextInt(NAMES.length)];
      StringBuilder value = new StringBuilder();
      for (int j = random.nextInt(30); j > 0; j--) {
        int c = random.nextInt(256);
        value.append(c >= 0x20 && c != 0x7f ? (char) c : '\t');
      }
      builder.add("x-" + name, value.toString());
    }
    return builder.build();
  }

  private String path() {
    StringBuilder text = new StringBuilder("/");
    for (int i = random.nextInt(10); i > 0; i--) {
      char c = (char) (0x21 + random.nextInt(0x5e));
      text.append(c == '#' ? '?' : c);
    }
    return text.toString();
  }

  private RequestHead request() {
    RequestHead.Builder builder =
        RequestHead.builder(HttpMethod.of(token()), path()).headers(fields());
    if (random.nextInt(4) > 0) {
      builder.authority(new Authority("h" + random.nextInt(3), random.nextInt(65536 + 1) - 1));
    }
    switch (random.nextInt(4)) {
      case 0 -> builder.contentLength(random.nextInt(1000));
      case 1 -> builder.contentLength(RequestHead.UNKNOWN_LENGTH);
      case 2 -> builder.protocol(token());
      default -> {}
    }
    RequestHead head = builder.build();
    return head.method().equals(HttpMethod.CONNECT) ? request() : head;
  }

  private RequestHead sent(RequestHead head, TargetForm form) throws Http1Exception {
    long framing =
        head.contentLength() == 0 && random.nextBoolean() ? Framing.NONE : head.contentLength();
    HeadEncoder.request(
        buffer.clear(),
        head,
        HeadEncoder.host(head.authority()),
        form,
        framing,
        Persistence.IMPLIED,
        null);
    RequestParser parser =
        random.nextBoolean() ? requests : new RequestParser(Http1Settings.DEFAULT);
    assertSame(RequestParser.Result.HEAD, parser.parse(buffer));
    assertEquals(0, buffer.readableBytes());
    RequestHead parsed = parser.request();
    assertTrue(parser.isPersistent());
    if (parsed.contentLength() == 0) {
      parser.next();
    } else {
      finish(parser, parsed.contentLength());
    }
    return parsed;
  }

  private void finish(RequestParser parser, long length) throws Http1Exception {
    buffer.clear();
    if (length < 0) {
      HeadEncoder.lastChunk(buffer, HttpHeaders.EMPTY);
    } else {
      buffer.fill(0, (int) length, 'x').writerIndex((int) length);
    }
    RequestParser.Result result = parser.parse(buffer);
    while (result != RequestParser.Result.END) {
      buffer.skip(parser.dataLength());
      result = parser.parse(buffer);
    }
    parser.next();
  }

  @Test
  void requestsAreReadAsTheyWereWritten() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      RequestHead head = request();
      RequestHead parsed = sent(head, TargetForm.ORIGIN);
      assertSameRequest(head, parsed);
      assertSameRequest(head, sent(parsed, TargetForm.ORIGIN));
    }
  }

  @Test
  void absoluteFormSaysTheSame() throws Exception {
    for (int i = 0; i < 2000; i++) {
      RequestHead head = request().toBuilder().authority(new Authority("h", 1)).build();
      RequestHead parsed = sent(head, TargetForm.ABSOLUTE);
      assertEquals(head.authority(), parsed.authority());
      assertEquals(head.path(), parsed.path());
      assertEquals(head.headers(), parsed.headers());
      assertSameRequest(head, sent(parsed, TargetForm.ORIGIN));
    }
  }

  private static void assertSameRequest(RequestHead expected, RequestHead actual) {
    assertEquals(expected.toString(), actual.toString());
    Authority authority = expected.authority();
    assertEquals(authority == null ? new Authority("", -1) : authority, actual.authority());
    assertEquals(expected.headers(), actual.headers());
    assertEquals(expected.contentLength(), actual.contentLength());
    assertEquals(expected.protocol(), actual.protocol());
  }

  private ResponseHead received(ResponseHead head, long framing, Persistence persistence)
      throws Http1Exception {
    HeadEncoder.response(buffer.clear(), head, framing, persistence, DATE);
    responses.begin(HttpMethod.HEAD);
    assertSame(ResponseParser.Result.HEAD, responses.parse(buffer));
    assertEquals(0, buffer.readableBytes());
    assertEquals(persistence != Persistence.CLOSE, responses.isPersistent());
    assertSame(HttpVersion.HTTP_1_1, responses.version());
    ResponseHead parsed = responses.head();
    assertSame(ResponseParser.Result.END, responses.parse(buffer));
    return parsed;
  }

  @Test
  void responsesAreReadAsTheyWereWritten() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      HttpStatus status = HttpStatus.of(200 + random.nextInt(800));
      long length = random.nextBoolean() ? random.nextLong() >>> 8 : -1;
      if (status.isBodiless()) {
        length = -1;
      }
      ResponseHead head = ResponseHead.of(status, fields()).withLength(length);
      long framing = status.isBodiless() ? Framing.NONE : length < 0 ? Framing.CHUNKED : length;
      Persistence persistence = Persistence.values()[random.nextInt(3)];
      ResponseHead parsed = received(head, framing, persistence);
      assertResponse(head, parsed);
      assertResponse(head, received(head, framing, persistence));
      assertResponse(head, received(head, framing, persistence));
      // A Date that came with the response is not written twice.
      assertEquals(parsed.headers(), received(parsed, framing, persistence).headers());
    }
  }

  private static void assertResponse(ResponseHead expected, ResponseHead actual) {
    assertEquals(expected.status(), actual.status());
    assertEquals(expected.headers().toBuilder().add("date", "D").build(), actual.headers());
    assertEquals(expected.contentLength(), actual.contentLength());
  }
}
