package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpClientSettings.Decompression;
import dev.quickwater.web.HttpClientSettings.RequestRules;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Compressed responses in clients.
final class DecompressionTest {

  private static final String TEXT = "compressible ".repeat(1000);
  private static final RequestHead GET = RequestHead.get("/");

  /// Exchanges on a loop that the test steps.
  @Nested
  final class AnExchange {

    private final EmbeddedChannel host = new EmbeddedChannel();
    private HttpHandler handler = answer("gzip", Coded.gzip(TEXT));
    private @Nullable LocalHttp http;

    @AfterEach
    void close() {
      if (http != null) {
        http.close();
      }
      host.runTasks();
      assertEquals(0, host.loop().allocator().metrics().used(), "bytes of buffers still held");
      host.close();
    }

    private static HttpHandler answer(String coding, byte[] bytes) {
      HttpHeaders fields =
          HttpHeaders.of(
              "content-encoding", coding, "content-digest", "x", "etag", "\"t\"", "vary", "a");
      return x -> x.respond(HttpResponse.of(HttpStatus.OK, fields, bytes));
    }

    private ClientExchange open(HttpVersion version) {
      LocalHttp made = new LocalHttp(host.loop(), x -> handler.handle(x), version);
      http = made;
      Future<ClientExchange> opened = made.open(DecodedExchange.accepting(GET));
      host.runTasks();
      return DecodedExchange.of(opened.value(), Decompression.DEFAULT);
    }

    private ClientExchange open() {
      return open(HttpVersion.HTTP_1_1);
    }

    private HttpResponse send(HttpVersion version) {
      Future<HttpResponse> response = WholeExchange.send(open(version), HttpRequest.of(GET, NONE));
      host.runTasks();
      return response.value();
    }

    private Throwable failure(HttpVersion version) {
      Future<HttpResponse> response = WholeExchange.send(open(version), HttpRequest.of(GET, NONE));
      host.runTasks();
      ExchangeEndedException ended =
          assertInstanceOf(ExchangeEndedException.class, response.cause());
      assertEquals(Outcome.Kind.RESET, ended.outcome().kind());
      assertTrue(ended.outcome().cause() != null, ended::toString);
      return ended.outcome().cause();
    }

    private static final byte[] NONE = {};

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void responseIsDecodedAndItsHeadDescribesThePlainContent(HttpVersion version) {
      HttpResponse response = send(version);
      assertEquals(TEXT, response.text());
      assertEquals(ResponseHead.UNKNOWN_LENGTH, response.head().contentLength());
      assertNull(response.headers().get(HeaderName.CONTENT_ENCODING));
      assertNull(response.headers().get("content-digest"));
      assertEquals("\"t\"", response.headers().get(HeaderName.ETAG));
      assertEquals("a", response.headers().get(HeaderName.VARY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "x-gzip"})
    void namesOfACodingAreCaseInsensitive(String coding) {
      handler = answer(coding, Coded.gzip(TEXT));
      assertEquals(TEXT, send(HttpVersion.HTTP_1_1).text());
    }

    @Test
    void deflateHasTheFormatOfZlib() {
      handler = answer("deflate", Coded.deflate(TEXT));
      assertEquals(TEXT, send(HttpVersion.HTTP_1_1).text());
    }

    /// Several codings could multiply their ratios.
    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip, gzip", "identity", "gzip,"})
    void otherCodingsStayAsTheyAre(String coding) {
      byte[] bytes = Coded.gzip(TEXT);
      handler = answer(coding, bytes);
      HttpResponse response = send(HttpVersion.HTTP_1_1);
      assertEquals(coding, response.headers().get(HeaderName.CONTENT_ENCODING));
      assertEquals("x", response.headers().get("content-digest"));
      assertArrayEquals(bytes, response.bytes());
    }

    @Test
    void responseWithoutCodingStaysAsItIs() {
      handler = x -> x.respond(HttpResponse.text(TEXT));
      HttpResponse response = send(HttpVersion.HTTP_1_1);
      assertEquals(TEXT, response.text());
      assertEquals(TEXT.length(), response.head().contentLength());
    }

    @Test
    void emptyBodyIsEmpty() {
      handler = answer("gzip", NONE);
      assertEquals("", send(HttpVersion.HTTP_1_1).text());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void truncatedContentIsAFailure(HttpVersion version) {
      byte[] gzip = Coded.gzip(TEXT);
      handler = answer("gzip", Arrays.copyOf(gzip, gzip.length - 1));
      Throwable failure = failure(version);
      assertInstanceOf(ZipException.class, failure);
      assertEquals("the gzip content is incomplete", failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void brokenContentIsAFailure(HttpVersion version) {
      byte[] gzip = Coded.gzip(TEXT);
      gzip[gzip.length - 5] ^= 1;
      handler = answer("gzip", gzip);
      Throwable failure = failure(version);
      assertInstanceOf(ZipException.class, failure);
      assertEquals(
          "the gzip content is broken: the sum of its content is wrong", failure.getMessage());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void bombEndsAtTheRatio(HttpVersion version) {
      handler = answer("gzip", Coded.gzip(new byte[20 << 20]));
      assertEquals(
          "the content expands to more than 200 times its compressed size",
          failure(version).getMessage());
    }

    @Test
    void decodedBytesCountTowardsTheLimitOfTheBody() {
      ClientExchange exchange = open();
      exchange.limits(exchange.limits().withMaxBody(TEXT.length() - 1));
      Future<byte[]> body = exchange.readAll(1 << 20);
      host.runTasks();
      HttpException failure = assertInstanceOf(HttpException.class, body.cause());
      assertEquals(HttpStatus.CONTENT_TOO_LARGE, failure.status());
      exchange = open();
      exchange.limits(exchange.limits().withMaxBody(TEXT.length()));
      body = exchange.readAll(1 << 20);
      host.runTasks();
      assertEquals(TEXT.length(), body.value().length);
    }

    @Test
    void headIsHeldUntilACallbackIsRegistered() {
      ClientExchange exchange = open();
      host.runTasks();
      List<ResponseHead> heads = new ArrayList<>();
      exchange.onResponse(heads::add);
      assertTrue(heads.isEmpty(), "a callback inside of its registration");
      host.runTasks();
      assertEquals(1, heads.size());
      assertNull(heads.getFirst().headers().get(HeaderName.CONTENT_ENCODING));
      assertThrows(IllegalStateException.class, () -> exchange.onResponse(heads::add));
      exchange.reset(ResetCode.CANCEL);
    }

    /// Reads one piece in each call of [#next].
    private final class Pieces implements BodyReader {
      final ClientExchange exchange;
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      @Nullable Exception failure;
      boolean ended;
      int largest;
      int count;

      Pieces(ClientExchange exchange) {
        this.exchange = exchange;
      }

      void next() {
        exchange.responseBody().read(this);
        host.runTasks();
      }

      @Override
      public void data(ByteBuf piece) {
        count++;
        largest = Math.max(largest, piece.readableBytes());
        bytes.writeBytes(piece.readBytes(piece.readableBytes()));
        piece.release();
      }

      @Override
      public void end(HttpHeaders trailers) {
        ended = true;
      }

      @Override
      public void failed(Exception cause) {
        failure = cause;
      }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void eachReadDecodesOnePiece(HttpVersion version) {
      byte[] plain = new byte[100_000];
      handler = answer("gzip", Coded.gzip(plain));
      Pieces pieces = new Pieces(open(version));
      for (int i = 1; !pieces.ended; i++) {
        assertEquals(i - 1, pieces.count);
        pieces.next();
      }
      assertArrayEquals(plain, pieces.bytes.toByteArray());
      assertEquals(16 << 10, pieces.largest);
      assertThrows(IllegalStateException.class, pieces::next);
    }

    /// All bytes were received at once, so only the reader makes progress.
    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void slowReaderOfManyPiecesIsNotIdle(HttpVersion version) {
      byte[] plain = new byte[1 << 20];
      handler = answer("gzip", Coded.gzip(plain));
      ClientExchange exchange = open(version);
      exchange.limits(exchange.limits().withIdleTimeout(Duration.ofSeconds(2)));
      List<Outcome> outcomes = new ArrayList<>();
      exchange.onEnd(outcomes::add);
      Pieces pieces = new Pieces(exchange);
      while (outcomes.isEmpty()) {
        pieces.next();
        host.advance(Duration.ofMillis(600));
      }
      assertEquals(Outcome.Kind.COMPLETED, outcomes.getFirst().kind());
      assertArrayEquals(plain, pieces.bytes.toByteArray());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void readerThatStopsBetweenPiecesTimesOut(HttpVersion version) {
      handler = answer("gzip", Coded.gzip(new byte[1 << 20]));
      ClientExchange exchange = open(version);
      exchange.limits(exchange.limits().withIdleTimeout(Duration.ofSeconds(10)));
      List<Outcome> outcomes = new ArrayList<>();
      exchange.onEnd(outcomes::add);
      new Pieces(exchange).next();
      for (int second = 0; second < 12; second++) {
        host.advance(Duration.ofSeconds(1));
      }
      assertEquals(Outcome.Kind.TIMEOUT, outcomes.getFirst().kind());
    }

    @Test
    void callbackIsRegisteredOnTheLoopOnly() {
      ClientExchange exchange = open();
      Throwable failure =
          assertThrows(
              CompletionException.class,
              () -> CompletableFuture.runAsync(() -> exchange.onResponse(_ -> {})).join());
      assertInstanceOf(IllegalStateException.class, failure.getCause());
      exchange.reset(ResetCode.CANCEL);
    }

    @Test
    void secondReadIsRefused() {
      ClientExchange exchange = open();
      Pieces pieces = new Pieces(exchange);
      exchange.responseBody().read(pieces);
      assertThrows(IllegalStateException.class, () -> exchange.responseBody().read(pieces));
      host.runTasks();
      exchange.responseBody().read(pieces);
      assertThrows(IllegalStateException.class, () -> exchange.responseBody().read(pieces));
      exchange.reset(ResetCode.CANCEL);
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void resetBetweenPiecesReleasesWhatIsHeld(HttpVersion version) {
      handler = answer("gzip", Coded.gzip(new byte[100_000]));
      Pieces pieces = new Pieces(open(version));
      pieces.next();
      assertEquals(1, pieces.count);
      pieces.exchange.responseBody().read(pieces);
      pieces.exchange.reset(ResetCode.CANCEL);
      host.runTasks();
      assertInstanceOf(ExchangeEndedException.class, pieces.failure);
      assertEquals(1, pieces.count);
      pieces.next(); // is ignored
    }

    @Test
    void readerThatThrowsFailsTheExchange() {
      handler = answer("gzip", Coded.gzip(new byte[100_000]));
      ClientExchange exchange = open();
      List<Outcome> outcomes = new ArrayList<>();
      exchange.onEnd(outcomes::add);
      IOException mistake = new IOException("a mistake");
      exchange
          .responseBody()
          .read(
              new BodyReader() {
                private int count;

                @Override
                public void data(ByteBuf piece) throws IOException {
                  piece.release();
                  if (++count == 2) {
                    throw mistake;
                  }
                  exchange.responseBody().read(this);
                }

                @Override
                public void end(HttpHeaders trailers) {}
              });
      host.runTasks();
      assertEquals(Outcome.Kind.RESET, outcomes.getFirst().kind());
      assertSame(mistake, outcomes.getFirst().cause().getCause());
    }

    @Test
    void trailersAreKeptExceptDigestsOfEncodedBytes() {
      HttpHeaders trailers =
          HttpHeaders.of("a", "b", "content-digest", "x", "repr-digest", "x", "c", "d");
      handler =
          x -> {
            OutgoingBody body =
                x.respond(ResponseHead.of(HttpStatus.OK, "content-encoding", "gzip"));
            body.write(ByteBuf.wrap(Coded.gzip(TEXT)));
            body.end(trailers);
          };
      ClientExchange exchange = open();
      List<HttpHeaders> received = new ArrayList<>();
      exchange.responseBody().read(new TrailerCollector(exchange, received));
      host.runTasks();
      assertEquals(List.of(HttpHeaders.of("a", "b", "c", "d")), received);
    }

    /// A body that is not writable after each piece.
    private final class Slow implements OutgoingBody {
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      @Nullable Runnable waiting;
      boolean ended;

      @Override
      public void write(ByteBuf piece) {
        bytes.writeBytes(piece.readBytes(piece.readableBytes()));
        piece.release();
      }

      @Override
      public void end(HttpHeaders trailers) {
        ended = true;
      }

      @Override
      public void flush() {}

      @Override
      public boolean isWritable() {
        return false;
      }

      @Override
      public void onWritable(Runnable action) {
        waiting = action;
      }
    }

    @Test
    void copyWaitsUntilTheTargetIsWritable() {
      byte[] plain = new byte[100_000];
      new Random(1).nextBytes(plain);
      handler = answer("gzip", Coded.gzip(plain));
      Slow slow = new Slow();
      open().responseBody().pipeTo(slow);
      for (int steps = 0; !slow.ended; steps++) {
        assertTrue(steps < 100, "the copy makes no progress");
        int before = slow.bytes.size();
        host.runTasks();
        assertTrue(slow.bytes.size() - before <= 16 << 10, "more than a piece");
        @Nullable Runnable next = slow.waiting;
        slow.waiting = null;
        if (next != null) {
          next.run();
        }
      }
      assertArrayEquals(plain, slow.bytes.toByteArray());
    }
  }

  // ---- clients ----

  private static HttpClient client(Versions versions, @Nullable Decompression limits) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    return HttpClient.create(
        settings
            .withLoops(new LoopSettings(1, "nio"))
            .withVersions(settings.versions().with(versions))
            .withRequests(RequestRules.DEFAULT.withDecompression(limits)));
  }

  /// Answers with what the request accepts, compressed if the request asks for that.
  private static RunningServer server() {
    Compress filter = new Compress(0, 100);
    return Servers.start(
        "nio",
        filter.around(x ->
            x.respond(
                HttpResponse.text(
                    x.request().headers().getAll(HeaderName.ACCEPT_ENCODING) + TEXT))));
  }

  private static String url(RunningServer server) {
    return "http://localhost:" + server.port() + "/";
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void clientRequestsAndDecodesCompressedContent(Versions versions) throws IOException {
    try (RunningServer server = server();
        HttpClient client = client(versions, Decompression.DEFAULT)) {
      for (int i = 0; i < 3; i++) {
        HttpResponse response = client.blocking().get(url(server));
        assertEquals("[gzip, deflate]" + TEXT, response.text());
        assertNull(response.headers().get(HeaderName.CONTENT_ENCODING));
      }
      try (BlockingResponse response =
              client.blocking().open(RequestHead.get(url(server)), _ -> {});
          InputStream body = response.body()) {
        assertEquals(
            "[gzip, deflate]" + TEXT, new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void clientWithoutDecompressionRequestsNone() throws IOException {
    try (RunningServer server = server();
        HttpClient client = client(Versions.HTTP_1_1, null)) {
      assertEquals("[]" + TEXT, client.blocking().get(url(server)).text());
    }
  }

  @Test
  void requestWithItsOwnCodingsReceivesTheBytesAsTheyAre() throws IOException {
    try (RunningServer server = server();
        HttpClient client = client(Versions.HTTP_1_1, Decompression.DEFAULT)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, url(server)).add("accept-encoding", "gzip").build();
      HttpResponse response = client.blocking().send(HttpRequest.of(head, new byte[0]));
      assertEquals("gzip", response.headers().get(HeaderName.CONTENT_ENCODING));
    }
  }

  @Test
  void requestForARangeOrWithoutContentAcceptsNoCoding() throws IOException {
    try (RunningServer server = server();
        HttpClient client = client(Versions.HTTP_1_1, Decompression.DEFAULT)) {
      RequestHead range =
          RequestHead.builder(HttpMethod.GET, url(server)).add("range", "bytes=1-2").build();
      assertEquals("[]" + TEXT, client.blocking().send(HttpRequest.of(range, new byte[0])).text());
      RequestHead head = RequestHead.builder(HttpMethod.HEAD, url(server)).build();
      HttpResponse response = client.blocking().send(HttpRequest.of(head, new byte[0]));
      assertEquals(TEXT.length() + 2, response.head().contentLength());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void failureOfBrokenContentHasItsReason(Versions versions) {
    try (RunningServer server =
            Servers.start(
                "nio",
                x ->
                    x.respond(
                        HttpResponse.of(
                            HttpStatus.OK,
                            HttpHeaders.of("content-encoding", "gzip"),
                            "no gzip".getBytes(StandardCharsets.UTF_8))));
        HttpClient client = client(versions, Decompression.DEFAULT)) {
      IOException failure =
          assertThrows(IOException.class, () -> client.blocking().get(url(server)));
      Throwable last = failure;
      while (last.getCause() != null) {
        last = last.getCause();
      }
      assertEquals("the gzip content is broken: it has no gzip header", last.getMessage());
    }
  }

  @Test
  void ratioBelowOneIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Decompression(0));
  }
}
