package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Decoding;
import dev.quickwater.codec.verify.Events;
import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.engine.EngineAccess;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Any input from a server has the same outcome however it is split, throws only [Http1Exception],
/// and takes a number of steps that is linear in its length. Accepted input has the same meaning
/// after it is written again.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The first two bytes of an input
/// choose where it is split, the third one the requests.
final class ResponseParserFuzzTest {

  /// Limits that a short input can reach.
  private static final Http1Settings SMALL =
      Http1Settings.DEFAULT.withHeads(
          HeadLimits.DEFAULT.with(64, 512, 8).withMaxChunkExtension(32));

  private static final Http1Settings ROOMY = SMALL.withHeads(SMALL.heads().with(128, 2048, 16));

  private static final List<HttpMethod> METHODS =
      List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.GET, HttpMethod.CONNECT);

  /// A parser that writes accepted input again in one canonical form.
  private static final class Rewriter implements Decoding {

    private final ResponseParser parser;
    private final ByteArrayOutputStream written;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int requests;
    private int steps;

    Rewriter(ByteArrayOutputStream written, Http1Settings settings, int requests) {
      parser = new ResponseParser(settings, 2);
      this.written = written;
      this.requests = requests;
      begin();
    }

    private void begin() {
      HttpMethod method = METHODS.get(requests & 3);
      parser.begin(method, (requests & 4) != 0 ? "websocket" : null);
      requests = requests >>> 3 | 1 << 28;
    }

    @Override
    public void decode(ByteBuf in, Events events) throws Http1Exception {
      while (!parser.isTunnel()) {
        steps++;
        switch (parser.parse(in)) {
          case MORE -> {
            return;
          }
          case INFORM -> {
            events.event("inform " + parser.status() + parser.headers());
            head();
            text("\r\n");
          }
          case HEAD -> {
            events.event(
                parser.version() + " " + parser.status() + parser.headers() + parser.isTunnel());
            head();
            framing();
            text("\r\n");
          }
          case DATA -> {
            assertTrue(parser.dataLength() > 0, "an empty piece of a body");
            body.writeBytes(
                in.slice(in.readerIndex(), parser.dataLength()).readBytes(parser.dataLength()));
            events.content(in, parser.dataLength());
          }
          case END -> {
            events.event("end " + parser.trailers() + parser.isPersistent());
            end(parser.trailers());
            begin();
          }
        }
      }
      if (in.isReadable()) {
        events.content(in, in.readableBytes());
      }
    }

    private void head() {
      text(parser.version() + " " + parser.status().code() + " x\r\n");
      written.writeBytes(parser.headers().wire(EngineAccess.GRANTED));
    }

    private void framing() {
      if (parser.isTunnel()) {
        text("Connection: upgrade\r\nUpgrade: websocket\r\n");
        return;
      }
      long length = parser.head().contentLength();
      if (parser.hasBody() && length < 0 && parser.isPersistent()) {
        text("Transfer-Encoding: chunked\r\n");
      } else if (length >= 0) {
        text("Content-Length: " + length + "\r\n");
      }
      text("Connection: " + (parser.isPersistent() ? "keep-alive" : "close") + "\r\n");
    }

    private void end(HttpHeaders trailers) {
      if (parser.head().contentLength() < 0 && parser.hasBody() && parser.isPersistent()) {
        if (body.size() > 0) {
          text(Integer.toHexString(body.size()) + "\r\n");
          written.writeBytes(body.toByteArray());
          text("\r\n");
        }
        text("0\r\n");
        written.writeBytes(trailers.wire(EngineAccess.GRANTED));
        text("\r\n");
      } else {
        written.writeBytes(body.toByteArray());
      }
      body.reset();
    }

    private void text(String text) {
      written.writeBytes(Parsing.bytes(text));
    }
  }

  @FuzzTest(maxDuration = "60s")
  void oneReadingHoweverCut(byte[] data) {
    if (data.length < 4) {
      return;
    }
    byte[] input = Arrays.copyOfRange(data, 3, data.length);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Outcome whole = decode(input, List.of(), written, SMALL, data[2]);
    if (whole.failure() != null) {
      assertInstanceOf(Http1Exception.class, whole.failure(), whole::toString);
    }
    List<Integer> cuts = cuts(data[0] << 8 | data[1], input.length);
    ByteArrayOutputStream unused = new ByteArrayOutputStream();
    assertLike(whole, decode(input, cuts, unused, SMALL, data[2]));
    List<Integer> all = IntStream.range(1, input.length).boxed().toList();
    assertLike(whole, decode(input, all, unused, SMALL, data[2]));
    boolean closing = written.toString(StandardCharsets.ISO_8859_1).contains("Connection: close");
    if (whole.failure() == null && written.size() > 0 && !closing) {
      // Written again, a head can be longer than the limits of the first parser.
      Outcome again = decode(written.toByteArray(), List.of(), unused, ROOMY, data[2]);
      int complete = Math.min(again.events().size(), whole.events().size());
      assertEquals(
          whole.events().subList(0, complete),
          again.events().subList(0, complete),
          "written again it says something else");
    }
  }

  private static Outcome decode(
      byte[] input,
      List<Integer> cuts,
      ByteArrayOutputStream written,
      Http1Settings settings,
      int requests) {
    Rewriter[] last = new Rewriter[1];
    Outcome outcome =
        CodecVerifier.of(() -> last[0] = new Rewriter(written, settings, requests & 0xff))
            .decode(input, cuts);
    int max = 3 * input.length + cuts.size() + 3;
    assertTrue(last[0].steps <= max, last[0].steps + " steps for " + input.length + " bytes");
    return outcome;
  }

  private static List<Integer> cuts(int seed, int length) {
    Random random = new Random(seed);
    TreeSet<Integer> cuts = new TreeSet<>();
    for (int i = random.nextInt(6); i >= 0 && length > 1; i--) {
      cuts.add(1 + random.nextInt(length - 1));
    }
    return List.copyOf(cuts);
  }

  private static void assertLike(Outcome whole, Outcome cut) {
    assertTrue(cut.isLike(whole), () -> "whole: " + whole + "\ncut: " + cut);
  }
}
