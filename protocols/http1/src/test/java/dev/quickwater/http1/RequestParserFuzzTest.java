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
import dev.quickwater.http.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Whatever comes in: one outcome however it is cut, no exception but [Http1Exception], a number of
/// steps that follows the length, and what is accepted says the same when it is written again.
///
/// On its seeds in every build; for 60 s with `-Dfull`. The first two bytes of an input choose the
/// cuts.
final class RequestParserFuzzTest {

  /// Limits that a short input can reach.
  private static final Http1Settings SMALL =
      Http1Settings.DEFAULT.withHeadLimits(64, 512, 8).withMaxChunkExtension(32);

  /// A parser that writes down in one form what it accepts.
  private static final class Rewriter implements Decoding {
    private final RequestParser parser = new RequestParser(SMALL);
    private final ByteArrayOutputStream written;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int steps;

    Rewriter(ByteArrayOutputStream written) {
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
            HttpRequest request = parser.request();
            events.event(request + " " + request.headers() + parser.isPersistent());
            if (request.end()) {
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
      HttpRequest request = parser.request();
      text(request + "\r\n");
      written.writeBytes(request.headers().wireForm());
      text("\r\n");
      if (request.headers().contains("transfer-encoding")) {
        if (body.size() > 0) {
          text(Integer.toHexString(body.size()) + "\r\n");
          written.writeBytes(body.toByteArray());
          text("\r\n");
        }
        text("0\r\n");
        written.writeBytes(trailers.wireForm());
        text("\r\n");
      } else {
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
      Outcome again = decode(written.toByteArray(), List.of(), unused);
      List<Object> complete = whole.events().subList(0, again.events().size());
      assertEquals(complete, again.events(), "written again it says something else");
    }
  }

  private static Outcome decode(byte[] input, List<Integer> cuts, ByteArrayOutputStream written) {
    Rewriter[] last = new Rewriter[1];
    Outcome outcome = CodecVerifier.of(() -> last[0] = new Rewriter(written)).decode(input, cuts);
    int most = 3 * input.length + cuts.size() + 3;
    assertTrue(last[0].steps <= most, last[0].steps + " steps for " + input.length + " bytes");
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
