package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.Filter;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses through the filter, on a loop that the test steps.
final class CompressTest {

  private static final String TEXT = "compressible ".repeat(1000);
  private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";

  private final EmbeddedChannel host = new EmbeddedChannel();
  private final Compress filter = new Compress(1024, 2);
  private HttpHandler handler =
      x -> x.respond(HttpResponse.text(TEXT).with(HeaderName.ETAG, "\"tag\""));
  private @Nullable LocalHttp http;

  private LocalHttp http(HttpVersion version) {
    LocalHttp made =
        new LocalHttp(host.loop(), x -> filter.handle(x, next -> handler.handle(next)), version);
    host.runTasks();
    http = made;
    return made;
  }

  private LocalHttp http() {
    return http == null ? http(HttpVersion.HTTP_1_1) : http;
  }

  @AfterEach
  void close() {
    http().close();
    host.runTasks();
    assertEquals(0, host.loop().allocator().metrics().used(), "bytes of buffers still held");
    assertEquals(0, filter.active());
    host.close();
  }

  private HttpResponse send(HttpMethod method, String accept) {
    RequestHead head = RequestHead.builder(method, "/").add("accept-encoding", accept).build();
    Future<HttpResponse> response = http().send(HttpRequest.of(head, new byte[0]));
    host.runTasks();
    return response.value();
  }

  private static String gunzip(byte[] bytes) throws IOException {
    return new String(
        new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes(),
        StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void wholeResponseIsCompressed(HttpVersion version) throws IOException {
    http(version);
    HttpResponse response = send(HttpMethod.GET, "br, gzip");
    assertEquals("gzip", response.headers().get(HeaderName.CONTENT_ENCODING));
    assertEquals("accept-encoding", response.headers().get(HeaderName.VARY));
    assertEquals("W/\"tag\"", response.headers().get(HeaderName.ETAG));
    assertTrue(response.bytes().length < 200);
    assertEquals(TEXT, gunzip(response.bytes()));
  }

  @Test
  void deflateHasTheFormatOfZlib() throws IOException {
    HttpResponse response = send(HttpMethod.GET, "deflate, gzip;q=0.5");
    assertEquals("deflate", response.headers().get(HeaderName.CONTENT_ENCODING));
    byte[] plain =
        new InflaterInputStream(new ByteArrayInputStream(response.bytes())).readAllBytes();
    assertArrayEquals(TEXT.getBytes(StandardCharsets.UTF_8), plain);
  }

  @Test
  void responseToHeadHasTheFieldsOfGet() {
    HttpHeaders get = send(HttpMethod.GET, "gzip").headers();
    HttpResponse head = send(HttpMethod.HEAD, "gzip");
    assertEquals(0, head.bytes().length);
    for (HeaderName name : List.of(HeaderName.CONTENT_ENCODING, HeaderName.VARY, HeaderName.ETAG)) {
      assertEquals(get.get(name), head.headers().get(name));
    }
    assertTrue(head.head().contentLength() <= 0, "no length of the plain content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "gzip;q=0", "identity, gzip;q=0.5", "x"})
  void clientThatPrefersThePlainContentReceivesIt(String accept) {
    HttpResponse response = send(HttpMethod.GET, accept);
    assertNull(response.headers().get(HeaderName.CONTENT_ENCODING));
    assertEquals("accept-encoding", response.headers().get(HeaderName.VARY));
    assertEquals("\"tag\"", response.headers().get(HeaderName.ETAG));
    assertEquals(TEXT, response.text());
  }

  @ParameterizedTest
  @CsvSource({
    "content-type, image/png",
    "content-type, text/event-stream",
    "content-encoding, br",
    "content-range, bytes 0-9999/20000",
    "content-digest, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
    "repr-digest, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
    "content-md5, Q2hlY2sgSW50ZWdyaXR5IQ==",
    "cache-control, 'public, no-transform'"
  })
  void otherResponsesAreSentAsTheyAre(String field, String value) {
    HttpHeaders fields =
        HttpHeaders.of("content-type", "text/plain").toBuilder()
            .set(HeaderName.of(field), value)
            .build();
    byte[] content = TEXT.getBytes(StandardCharsets.UTF_8);
    handler = x -> x.respond(HttpResponse.of(HttpStatus.OK, fields, content));
    HttpResponse response = send(HttpMethod.GET, "gzip");
    assertFalse("gzip".equals(response.headers().get(HeaderName.CONTENT_ENCODING)));
    assertEquals(TEXT, response.text());
  }

  @ParameterizedTest
  @CsvSource({
    "W/\"tag\", W/\"tag\", accept-encoding",
    "'\"a\", W/\"tag\"', W/\"tag\", accept-encoding",
    "\"tag\", \"tag\",",
    "*, \"tag\","
  })
  void notModifiedHasTheTagOfTheStoredResponse(String known, String tag, @Nullable String vary) {
    handler = x -> x.respond(HttpResponse.of(HttpStatus.NOT_MODIFIED, "etag", "\"tag\""));
    RequestHead head =
        RequestHead.builder(HttpMethod.GET, "/")
            .add("accept-encoding", "gzip")
            .add("if-none-match", known)
            .build();
    Future<HttpResponse> response = http().send(HttpRequest.of(head, new byte[0]));
    host.runTasks();
    HttpHeaders fields = response.value().headers();
    assertEquals(tag, fields.get(HeaderName.ETAG));
    assertEquals(vary, fields.get(HeaderName.VARY));
  }

  @Test
  void shortBodyIsSentAsItIs() {
    handler = x -> x.respond(HttpResponse.text("short"));
    assertEquals("short", send(HttpMethod.GET, "gzip").text());
  }

  @Test
  void errorThatReplacesACompressedResponseIsSentAsItIs() {
    HttpHeaders image = HttpHeaders.of("content-type", "image/svg");
    handler =
        x -> {
          x.onFail(_ -> HttpResponse.of(HttpStatus.INTERNAL_SERVER_ERROR, image, new byte[2000]));
          filter.handle(x, y -> y.respond(HttpResponse.text(TEXT)));
        };
    Filter failing =
        (x, next) -> {
          x.onRespond(head -> {
            if (head.status().equals(HttpStatus.OK)) {
              throw new IllegalStateException("expected by the test");
            }
            return head;
          });
          next.handle(x);
        };
    http = new LocalHttp(host.loop(), x -> failing.handle(x, handler), HttpVersion.HTTP_1_1);
    host.runTasks();
    HttpResponse response = send(HttpMethod.GET, "gzip");
    assertNull(response.headers().get(HeaderName.CONTENT_ENCODING));
    assertArrayEquals(new byte[2000], response.bytes());
  }

  /// A handler of a resource that was modified at [#DATE], and serves single ranges.
  private static final HttpHandler RANGES =
      x -> {
        HttpHeaders fields = x.request().headers();
        HttpHeaders.Builder answer =
            HttpHeaders.builder()
                .add("content-type", "text/plain")
                .add("last-modified", DATE)
                .add("etag", "\"tag\"");
        byte[] plain = TEXT.getBytes(StandardCharsets.UTF_8);
        @Nullable String condition = fields.get(HeaderName.IF_RANGE);
        boolean isCurrent =
            condition == null || condition.equals(DATE) || condition.equals("\"tag\"");
        if (fields.contains(HeaderName.RANGE) && isCurrent) {
          answer.add("content-range", "bytes 100-" + (plain.length - 1) + "/" + plain.length);
          x.respond(
              HttpResponse.of(
                  HttpStatus.PARTIAL_CONTENT,
                  answer.build(),
                  Arrays.copyOfRange(plain, 100, plain.length)));
        } else {
          x.respond(HttpResponse.of(HttpStatus.OK, answer.build(), plain));
        }
      };

  private HttpResponse resume(String accept, @Nullable String ifRange) {
    handler = RANGES;
    RequestHead.Builder head =
        RequestHead.builder(HttpMethod.GET, "/")
            .add("accept-encoding", accept)
            .add("range", "bytes=100-");
    if (ifRange != null) {
      head.add("if-range", ifRange);
    }
    Future<HttpResponse> response = http().send(HttpRequest.of(head.build(), new byte[0]));
    host.runTasks();
    return response.value();
  }

  @ParameterizedTest
  @ValueSource(strings = {DATE, "W/\"tag\"", "\"other\""})
  void partOfACompressedResponseIsNotCompletedWithPlainBytes(String ifRange) throws IOException {
    HttpResponse whole = resume("gzip", ifRange);
    assertEquals(HttpStatus.OK, whole.status());
    assertEquals("gzip", whole.headers().get(HeaderName.CONTENT_ENCODING));
    assertEquals(TEXT, gunzip(whole.bytes()));
  }

  @ParameterizedTest
  @CsvSource({"gzip, '\"tag\"'", "gzip,", "identity, 'Sun, 06 Nov 1994 08:49:37 GMT'"})
  void partOfThePlainContentIsCompletedWithPlainBytes(String accept, @Nullable String ifRange) {
    HttpResponse part = resume(accept, ifRange);
    assertEquals(HttpStatus.PARTIAL_CONTENT, part.status());
    assertNull(part.headers().get(HeaderName.CONTENT_ENCODING));
    assertEquals(TEXT.substring(100), part.text());
  }

  @Test
  void fieldsOfVaryAreKept() {
    handler = x -> x.respond(HttpResponse.text(TEXT).with(HeaderName.VARY, "origin"));
    HttpHeaders fields = send(HttpMethod.GET, "gzip").headers();
    assertEquals(List.of("origin", "accept-encoding"), fields.getAll(HeaderName.VARY));
  }

  @Test
  void digestsOfThePlainContentAreNoTrailersOfCompressedContent() {
    handler =
        x -> {
          OutgoingBody body =
              x.respond(ResponseHead.of(HttpStatus.OK, "content-type", "text/plain"));
          body.write(ByteBuf.wrap(TEXT.getBytes(StandardCharsets.UTF_8)));
          body.end(HttpHeaders.of("a", "b", "content-digest", "x", "repr-digest", "x"));
        };
    List<HttpHeaders> trailers = new ArrayList<>();
    for (String coding : List.of("gzip", "identity")) {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, "/").add("accept-encoding", coding).build();
      Future<ClientExchange> opened = http().open(head);
      host.runTasks();
      ClientExchange exchange = opened.value();
      exchange.responseBody().read(new TrailerCollector(exchange, trailers));
      host.runTasks();
    }
    assertEquals(
        List.of(
            HttpHeaders.of("a", "b"),
            HttpHeaders.of("a", "b", "content-digest", "x", "repr-digest", "x")),
        trailers);
  }

  @Test
  void bodyOfManyTurnsIsWhole() throws IOException {
    byte[] random = new byte[700_000];
    new Random(1).nextBytes(random);
    String text = HexFormat.of().formatHex(random);
    handler = x -> x.respond(HttpResponse.text(text));
    assertEquals(text, gunzip(send(HttpMethod.GET, "gzip").bytes()));
  }

  /// Writes pieces while the body is writable, as a handler with much content does.
  private static final class Pump implements Runnable {
    static final int PIECE = 16 << 10;
    final OutgoingBody body;
    final List<Integer> runs = new ArrayList<>();
    int left;

    Pump(OutgoingBody body, int pieces) {
      this.body = body;
      this.left = pieces;
    }

    @Override
    public void run() {
      int count = 0;
      for (; left > 0 && body.isWritable(); left--) {
        body.write(ByteBuf.wrap(new byte[PIECE]));
        count++;
      }
      runs.add(count);
      if (left > 0) {
        body.onWritable(this);
      } else {
        body.end();
      }
    }

    int longest() {
      return runs.stream().mapToInt(count -> count).max().orElse(0);
    }
  }

  private static final int PIECES_OF_A_TURN = CompressionBudget.TURN / Pump.PIECE;

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void bodyIsNotWritableUntilItsBytesAreCompressed(HttpVersion version) throws IOException {
    http(version);
    List<Pump> pumps = new ArrayList<>();
    handler =
        x -> {
          pumps.add(new Pump(stream(x), 100));
          pumps.getFirst().run();
        };
    byte[] plain =
        gunzip(send(HttpMethod.GET, "gzip").bytes()).getBytes(StandardCharsets.ISO_8859_1);
    assertArrayEquals(new byte[100 * Pump.PIECE], plain);
    assertTrue(pumps.getFirst().longest() <= PIECES_OF_A_TURN + 1, pumps.getFirst().runs::toString);
  }

  @Test
  void responsesOfALoopShareTheBudgetOfATurn() throws IOException {
    http(HttpVersion.HTTP_2);
    List<Pump> pumps = new ArrayList<>();
    handler =
        x -> {
          Pump pump = new Pump(stream(x), 40);
          pumps.add(pump);
          pump.run();
        };
    List<Future<HttpResponse>> responses = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, "/").add("accept-encoding", "gzip").build();
      responses.add(http().send(HttpRequest.of(head, new byte[0])));
    }
    host.runTasks();
    for (Future<HttpResponse> response : responses) {
      assertEquals(40 * Pump.PIECE, gunzip(response.value().bytes()).length());
    }
    assertEquals(1, pumps.get(1).runs.getFirst(), "the first response has used up the turn");
    assertTrue(pumps.get(1).runs.size() > 5, "both responses progress in turns");
  }

  @Test
  void emptyBodyIsSentAsItIs() {
    handler = x -> stream(x).end();
    HttpResponse response = send(HttpMethod.GET, "gzip");
    assertEquals(0, response.bytes().length);
    assertNull(response.headers().get(HeaderName.CONTENT_ENCODING));
  }

  @Test
  void flushBeforeTheEndOfAnEmptyBodyMakesAValidOne() throws IOException {
    handler =
        x -> {
          OutgoingBody body = stream(x);
          body.flush();
          body.end();
        };
    assertEquals("", gunzip(send(HttpMethod.GET, "gzip").bytes()));
  }

  private static OutgoingBody stream(HttpExchange x) {
    return x.respond(ResponseHead.of(HttpStatus.OK, "content-type", "text/plain"));
  }

  private static final class Pieces implements BodyReader {
    final ClientExchange exchange;
    final List<byte[]> pieces = new ArrayList<>();

    Pieces(ClientExchange exchange) {
      this.exchange = exchange;
      exchange.responseBody().read(this);
    }

    @Override
    public void data(ByteBuf bytes) {
      pieces.add(bytes.readBytes(bytes.readableBytes()));
      bytes.release();
      exchange.responseBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {}

    @Override
    public void failed(Exception cause) {}
  }

  private Pieces open() {
    Future<ClientExchange> opened =
        http()
            .open(RequestHead.builder(HttpMethod.GET, "/").add("accept-encoding", "gzip").build());
    host.runTasks();
    Pieces pieces = new Pieces(opened.value());
    host.runTasks();
    return pieces;
  }

  @Test
  void flushSendsWhatWasWritten() throws Exception {
    List<OutgoingBody> bodies = new ArrayList<>();
    handler = x -> bodies.add(stream(x));
    Pieces received = open();
    OutgoingBody body = bodies.getFirst();
    body.write(ByteBuf.utf8("first"));
    body.flush();
    host.runTasks();
    Inflater inflater = new Inflater(true);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    received.pieces.forEach(all::writeBytes);
    inflater.setInput(all.toByteArray(), 10, all.size() - 10);
    byte[] plain = new byte[100];
    assertEquals(5, inflater.inflate(plain));
    inflater.end();
    body.end();
    host.runTasks();
  }

  @Test
  void resetInTheMiddleReleasesEverything() {
    handler =
        x -> {
          OutgoingBody body = stream(x);
          body.write(ByteBuf.wrap(new byte[1 << 20]));
        };
    Pieces received = open();
    assertEquals(1, filter.active());
    received.exchange.reset(ResetCode.CANCEL);
    host.runTasks();
    assertEquals(0, filter.active());
  }

  @Test
  void responsesAboveTheLimitAreSentAsTheyAre() {
    handler = x -> stream(x).flush();
    http(HttpVersion.HTTP_2);
    Pieces first = open();
    Pieces second = open();
    assertEquals(2, filter.active());
    handler = x -> x.respond(HttpResponse.text(TEXT));
    assertEquals(TEXT, send(HttpMethod.GET, "gzip").text());
    first.exchange.reset(ResetCode.CANCEL);
    second.exchange.reset(ResetCode.CANCEL);
    host.runTasks();
    assertEquals(0, filter.active());
  }
}
