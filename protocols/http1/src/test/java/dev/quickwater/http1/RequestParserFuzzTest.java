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
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Any input has the same outcome however it is split, throws only [Http1Exception], and takes a
/// number of steps that is linear in its length. Accepted input has the same meaning after it is
/// written again.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The first two bytes of an input
/// choose where it is split.
final class RequestParserFuzzTest {

  /// Limits that a short input can reach.
  private static final Http1Settings SMALL =
      Http1Settings.DEFAULT.withHeads(
          HeadLimits.DEFAULT.with(64, 512, 8).withMaxChunkExtension(32));

  private static final Http1Settings ROOMY = SMALL.withHeads(SMALL.heads().with(64, 2048, 16));

  /// A parser that writes accepted input again in one canonical form.
  private static final class Rewriter implements Decoding {
    private final RequestParser parser;
    private final ByteArrayOutputStream written;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int steps;

    Rewriter(ByteArrayOutputStream written, Http1Settings settings) {
      parser = new RequestParser(settings);
      this.written = written;
    }

    @Override
    public void decode(ByteBuf in, Events events) throws Http1Exception {
      while (true) {
        steps++;
        switch (parser.parse(in)) {
          case MORE -> {
            return;
          }
          case HEAD -> {
            RequestHead request = parser.request();
            events.event(
                request
                    + " "
                    + request.authority()
                    + request.scheme()
                    + request.headers()
                    + request.protocol()
                    + request.path()
                    + parser.version()
                    + parser.isPersistent());
            if (request.contentLength() == 0) {
              write(HttpHeaders.EMPTY);
            }
          }
          case DATA -> {
            assertTrue(parser.dataLength() > 0, "an empty piece of a body");
            body.writeBytes(
                in.slice(in.readerIndex(), parser.dataLength()).readBytes(parser.dataLength()));
            events.content(in, parser.dataLength());
          }
          case END -> {
            events.event("end " + parser.trailers());
            write(parser.trailers());
          }
        }
      }
    }

    private void write(HttpHeaders trailers) {
      RequestHead request = parser.request();
      text(request + " " + parser.version() + "\r\n");
      if (request.authority() != null) {
        text("Host: " + request.authority() + "\r\n");
      }
      if (request.protocol() != null) {
        text("Connection: upgrade\r\nUpgrade: " + request.protocol() + "\r\n");
      }
      if (parser.isPersistent() != (parser.version() == HttpVersion.HTTP_1_1)) {
        text("Connection: " + (parser.isPersistent() ? "keep-alive" : "close") + "\r\n");
      }
      written.writeBytes(request.headers().wire(EngineAccess.GRANTED));
      if (request.contentLength() < 0) {
        text("Transfer-Encoding: chunked\r\n\r\n");
        if (body.size() > 0) {
          text(Integer.toHexString(body.size()) + "\r\n");
          written.writeBytes(body.toByteArray());
          text("\r\n");
        }
        text("0\r\n");
        written.writeBytes(trailers.wire(EngineAccess.GRANTED));
        text("\r\n");
      } else {
        if (request.contentLength() > 0) {
          text("Content-Length: " + request.contentLength() + "\r\n");
        }
        text("\r\n");
        written.writeBytes(body.toByteArray());
      }
      body.reset();
      parser.next();
    }

    private void text(String text) {
      written.writeBytes(Parsing.bytes(text));
    }
  }

  @FuzzTest(maxDuration = "60s")
  void oneReadingHoweverCut(byte[] data) {
    if (data.length < 3) {
      return;
    }
    byte[] input = java.util.Arrays.copyOfRange(data, 2, data.length);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Outcome whole = decode(input, List.of(), written);
    if (whole.failure() != null) {
      assertInstanceOf(Http1Exception.class, whole.failure(), whole::toString);
    }
    List<Integer> cuts = cuts(data[0] << 8 | data[1], input.length);
    ByteArrayOutputStream unused = new ByteArrayOutputStream();
    assertLike(whole, decode(input, cuts, unused));
    assertLike(whole, decode(input, IntStream.range(1, input.length).boxed().toList(), unused));
    if (whole.failure() == null && written.size() > 0) {
      // Written again, a head can be longer than the limits of the first parser.
      Outcome again = decode(written.toByteArray(), List.of(), unused, ROOMY);
      List<Object> complete = whole.events().subList(0, again.events().size());
      assertEquals(complete, again.events(), "written again it says something else");
    }
  }

  private static Outcome decode(byte[] input, List<Integer> cuts, ByteArrayOutputStream written) {
    return decode(input, cuts, written, SMALL);
  }

  private static Outcome decode(
      byte[] input, List<Integer> cuts, ByteArrayOutputStream written, Http1Settings settings) {
    Rewriter[] last = new Rewriter[1];
    Outcome outcome =
        CodecVerifier.of(() -> last[0] = new Rewriter(written, settings)).decode(input, cuts);
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
