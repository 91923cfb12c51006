package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http1.ResponseEncoder.Persistence;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Golden bytes.
final class ResponseEncoderTest {

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
        ResponseEncoder.head(out, HttpStatus.of(status), FIELDS, framing, persistence, DATE));
  }

  @Test
  void lengthIsWrittenInDecimal() {
    assertEquals(
        "HTTP/1.1 200 OK\r\nServer: q\r\nX-Y: \u00e4\r\ncontent-length: 0\r\ndate: D\r\n\r\n",
        head(200, 0, Persistence.IMPLIED));
    for (long length : new long[] {1, 9, 10, 99, 100, 12_345_678_901L, Long.MAX_VALUE}) {
      assertEquals(
          "HTTP/1.1 200 OK\r\nServer: q\r\nX-Y: \u00e4\r\ncontent-length: "
              + length
              + "\r\ndate: D\r\n\r\n",
          head(200, length, Persistence.IMPLIED));
    }
  }

  @Test
  void chunkedSaysSo() {
    assertEquals(
        "HTTP/1.1 404 Not Found\r\nServer: q\r\nX-Y: \u00e4\r\ntransfer-encoding: chunked\r\n"
            + "connection: close\r\ndate: D\r\n\r\n",
        head(404, ResponseEncoder.CHUNKED, Persistence.CLOSE));
  }

  @Test
  void withoutFramingNothingIsSaid() {
    assertEquals(
        "HTTP/1.1 204 No Content\r\nServer: q\r\nX-Y: \u00e4\r\nconnection: keep-alive\r\n"
            + "date: D\r\n\r\n",
        head(204, ResponseEncoder.NONE, Persistence.KEEP_ALIVE));
    assertEquals(
        "HTTP/1.1 200 OK\r\nServer: q\r\nX-Y: \u00e4\r\nconnection: close\r\ndate: D\r\n\r\n",
        head(200, ResponseEncoder.UNTIL_CLOSE, Persistence.CLOSE));
  }

  @Test
  void unregisteredStatusHasAnEmptyReason() {
    assertEquals(
        "HTTP/1.1 799 \r\ncontent-length: 1\r\ndate: D\r\n\r\n",
        encode(out ->
            ResponseEncoder.head(
                out, HttpStatus.of(799), HttpHeaders.EMPTY, 1, Persistence.IMPLIED, DATE)));
  }

  @Test
  void informationalHasNoDate() {
    assertEquals(
        "HTTP/1.1 103 Early Hints\r\nServer: q\r\nX-Y: \u00e4\r\n\r\n",
        encode(out -> ResponseEncoder.informational(out, HttpStatus.EARLY_HINTS, FIELDS)));
  }

  @Test
  void chunkSizesAreHexadecimal() {
    for (long size : new long[] {1, 9, 10, 15, 16, 255, 256, 4096, 0xabcdef, 1L << 40}) {
      assertEquals(
          Long.toHexString(size) + "\r\n\r\n",
          encode(out -> {
            ResponseEncoder.chunkStart(out, size);
            ResponseEncoder.chunkEnd(out);
          }));
    }
  }

  @Test
  void lastChunkCarriesTrailers() {
    assertEquals("0\r\n\r\n", encode(out -> ResponseEncoder.lastChunk(out, HttpHeaders.EMPTY)));
    assertEquals(
        "0\r\nServer: q\r\nX-Y: \u00e4\r\n\r\n",
        encode(out -> ResponseEncoder.lastChunk(out, FIELDS)));
  }
}
