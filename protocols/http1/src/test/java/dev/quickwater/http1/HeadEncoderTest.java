package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http1.HeadEncoder.Persistence;
import dev.quickwater.http1.HeadEncoder.TargetForm;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Golden bytes.
final class HeadEncoderTest {

  private static final byte[] DATE = Parsing.bytes("date: D\r\n\r\n");
  private static final HttpHeaders FIELDS = HttpHeaders.of("Server", "q", "X-Y", "\u00e4");

  private static String encode(Consumer<ByteBuf> encoder) {
    ByteBuf out = ByteBufAllocator.shared().allocate(8);
    encoder.accept(out);
    String text = out.toString(StandardCharsets.ISO_8859_1);
    out.release();
    return text;
  }

  private static String head(int status, long framing, Persistence persistence) {
    return encode(out ->
        HeadEncoder.response(
            out, ResponseHead.of(HttpStatus.of(status), FIELDS), framing, persistence, DATE));
  }

  @Test
  void lengthIsWrittenInDecimal() {
    assertEquals(
        "HTTP/1.1 200 OK\r\nserver: q\r\nx-y: \u00e4\r\ncontent-length: 0\r\ndate: D\r\n\r\n",
        head(200, 0, Persistence.IMPLIED));
    for (long length : new long[] {1, 9, 10, 99, 100, 12_345_678_901L, Long.MAX_VALUE}) {
      assertEquals(
          "HTTP/1.1 200 OK\r\nserver: q\r\nx-y: \u00e4\r\ncontent-length: "
              + length
              + "\r\ndate: D\r\n\r\n",
          head(200, length, Persistence.IMPLIED));
    }
  }

  @Test
  void chunkedSaysSo() {
    assertEquals(
        "HTTP/1.1 404 Not Found\r\nserver: q\r\nx-y: \u00e4\r\ntransfer-encoding: chunked\r\n"
            + "connection: close\r\ndate: D\r\n\r\n",
        head(404, Framing.CHUNKED, Persistence.CLOSE));
  }

  @Test
  void withoutFramingNothingIsSaid() {
    assertEquals(
        "HTTP/1.1 204 No Content\r\nserver: q\r\nx-y: \u00e4\r\nconnection: keep-alive\r\n"
            + "date: D\r\n\r\n",
        head(204, Framing.NONE, Persistence.KEEP_ALIVE));
    assertEquals(
        "HTTP/1.1 200 OK\r\nserver: q\r\nx-y: \u00e4\r\nconnection: close\r\ndate: D\r\n\r\n",
        head(200, Framing.UNTIL_CLOSE, Persistence.CLOSE));
  }

  @Test
  void unregisteredStatusHasAnEmptyReason() {
    assertEquals(
        "HTTP/1.1 799 \r\ncontent-length: 1\r\ndate: D\r\n\r\n",
        encode(out ->
            HeadEncoder.response(
                out, ResponseHead.of(HttpStatus.of(799)), 1, Persistence.IMPLIED, DATE)));
  }

  @Test
  void informationalHasNoDate() {
    assertEquals(
        "HTTP/1.1 103 Early Hints\r\nserver: q\r\nx-y: \u00e4\r\n\r\n",
        encode(out -> HeadEncoder.informational(out, HttpStatus.EARLY_HINTS, FIELDS)));
  }

  @Test
  void chunkSizesAreHexadecimal() {
    for (long size : new long[] {1, 9, 10, 15, 16, 255, 256, 4096, 0xabcdef, 1L << 40}) {
      assertEquals(
          Long.toHexString(size) + "\r\n\r\n",
          encode(out -> {
            HeadEncoder.chunkStart(out, size);
            HeadEncoder.chunkEnd(out);
          }));
    }
  }

  @Test
  void lastChunkCarriesTrailers() {
    assertEquals("0\r\n\r\n", encode(out -> HeadEncoder.lastChunk(out, HttpHeaders.EMPTY)));
    assertEquals(
        "0\r\nserver: q\r\nx-y: \u00e4\r\n\r\n", encode(out -> HeadEncoder.lastChunk(out, FIELDS)));
  }

  @Test
  void constantIsWrittenAlikeEachTime() {
    ResponseHead constant = ResponseHead.of(HttpStatus.OK, FIELDS).withLength(5);
    String first = response(constant, 5);
    assertEquals(
        "HTTP/1.1 200 OK\r\nserver: q\r\nx-y: \u00e4\r\ncontent-length: 5\r\ndate: D\r\n\r\n",
        first);
    for (int i = 0; i < 3; i++) {
      assertEquals(first, response(constant, 5));
    }
  }

  @Test
  void otherFramingThanTheHeadSaysIsWritten() {
    ResponseHead constant = ResponseHead.of(HttpStatus.OK, FIELDS).withLength(5);
    for (int i = 0; i < 3; i++) {
      assertEquals(
          "HTTP/1.1 200 OK\r\nserver: q\r\nx-y: \u00e4\r\ntransfer-encoding: chunked\r\n"
              + "date: D\r\n\r\n",
          response(constant, Framing.CHUNKED));
    }
    ResponseHead unknown = ResponseHead.of(HttpStatus.OK, FIELDS);
    for (int i = 0; i < 3; i++) {
      assertEquals(
          "HTTP/1.1 200 OK\r\nserver: q\r\nx-y: \u00e4\r\ncontent-length: 3\r\ndate: D\r\n\r\n",
          response(unknown, 3));
    }
  }

  @Test
  void dateOfTheApplicationIsNotRepeated() {
    ResponseHead head = ResponseHead.of(HttpStatus.OK, "date", "mine");
    for (int i = 0; i < 3; i++) {
      assertEquals("HTTP/1.1 200 OK\r\ndate: mine\r\ncontent-length: 0\r\n\r\n", response(head, 0));
    }
  }

  private static String response(ResponseHead head, long framing) {
    return encode(out -> HeadEncoder.response(out, head, framing, Persistence.IMPLIED, DATE));
  }

  @Test
  void protocolsAreSwitched() {
    assertEquals(
        "HTTP/1.1 101 Switching Protocols\r\nserver: q\r\nx-y: \u00e4\r\n"
            + "connection: upgrade\r\nupgrade: websocket\r\ndate: D\r\n\r\n",
        encode(out -> HeadEncoder.switchProtocols(out, FIELDS, "websocket", null, DATE)));
  }

  private static String request(RequestHead head, TargetForm form, long framing) {
    return encode(out ->
        HeadEncoder.request(
            out,
            head,
            HeadEncoder.host(head.authority()),
            form,
            framing,
            Persistence.IMPLIED,
            null));
  }

  @Test
  void requestHasTheHostFirst() {
    RequestHead head = RequestHead.get("http://A:81/x?y").toBuilder().add("X", "1").build();
    assertEquals(
        "GET /x?y HTTP/1.1\r\nhost: a:81\r\nx: 1\r\n\r\n",
        request(head, TargetForm.ORIGIN, Framing.NONE));
    assertEquals(
        "GET /x?y HTTP/1.1\r\nhost: \r\ncontent-length: 0\r\n\r\n",
        request(RequestHead.get("/x?y"), TargetForm.ORIGIN, 0));
  }

  @Test
  void proxyGetsTheAbsoluteForm() {
    assertEquals(
        "GET https://a/ HTTP/1.1\r\nhost: a\r\n\r\n",
        request(RequestHead.get("https://a"), TargetForm.ABSOLUTE, Framing.NONE));
    RequestHead options = RequestHead.builder(HttpMethod.OPTIONS, "http://a/").uri("*").build();
    assertEquals(
        "OPTIONS http://a HTTP/1.1\r\nhost: a\r\n\r\n",
        request(options, TargetForm.ABSOLUTE, Framing.NONE));
    assertEquals(
        "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n", request(options, TargetForm.ORIGIN, Framing.NONE));
  }

  @Test
  void connectHasTheAuthorityForm() {
    RequestHead head = RequestHead.builder(HttpMethod.CONNECT, "a:443").build();
    for (TargetForm form : TargetForm.values()) {
      assertEquals(
          "CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n", request(head, form, Framing.NONE));
    }
  }

  @Test
  void requestForAnotherProtocol() {
    RequestHead head = RequestHead.get("http://a/").toBuilder().protocol("websocket").build();
    assertEquals(
        "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
        request(head, TargetForm.ORIGIN, Framing.NONE));
  }

  @Test
  void requestBodiesAreFramed() {
    RequestHead head = RequestHead.builder(HttpMethod.POST, "http://a/").build();
    assertEquals(
        "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n",
        request(head, TargetForm.ORIGIN, Framing.CHUNKED));
    assertEquals(
        "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 12345\r\n\r\n",
        request(head, TargetForm.ORIGIN, 12345));
  }
}
