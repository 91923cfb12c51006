package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/// Connections of one loop share parts of their parsers and do not affect each other.
final class SharedParsersTest {

  private static final String FIRST =
      "GET /1 HTTP/1.1\r\nHost: a\r\nX-First: 1\r\nConnection: close\r\n\r\n";
  private static final String SECOND = "GET /second HTTP/1.0\r\nX-Second: 22\r\n\r\n";

  private final SharedParsers shared = new SharedParsers();
  private final RequestParser one = new RequestParser(Http1Settings.DEFAULT, shared, false);
  private final RequestParser two = new RequestParser(Http1Settings.DEFAULT, shared, false);

  /// Passes to a parser the bytes that it has not consumed and those that follow, as a connection
  /// does.
  private static RequestParser.Result parse(RequestParser parser, ByteBuf in, String text)
      throws Http1Exception {
    in.writeBytes(Parsing.bytes(text));
    return parser.parse(in);
  }

  private static ByteBuf buffer() {
    return ByteBuf.wrap(new byte[512]).writerIndex(0);
  }

  @Test
  void headsThatArriveInTurnsOfOneByteAreReadApart() throws Exception {
    ByteBuf first = buffer();
    ByteBuf second = buffer();
    for (int i = 0; i < FIRST.length() - 1; i++) {
      assertSame(RequestParser.Result.MORE, parse(one, first, FIRST.substring(i, i + 1)));
      if (i < SECOND.length() - 1) {
        assertSame(RequestParser.Result.MORE, parse(two, second, SECOND.substring(i, i + 1)));
      }
    }
    assertSame(RequestParser.Result.HEAD, parse(one, first, "\n"));
    assertSame(RequestParser.Result.HEAD, parse(two, second, "\n"));
    assertEquals("/1", one.request().path());
    assertEquals("1", one.request().headers().get("x-first"));
    assertEquals("/second", two.request().path());
    assertEquals("22", two.request().headers().get("x-second"));
    assertEquals(1, two.request().headers().size());
  }

  @Test
  void persistenceAndExpectationBelongToTheConnection() throws Exception {
    ByteBuf first = buffer();
    ByteBuf second = buffer();
    String expecting =
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
    assertSame(RequestParser.Result.HEAD, parse(one, first, FIRST));
    assertSame(RequestParser.Result.HEAD, parse(two, second, expecting));
    assertFalse(one.isPersistent());
    assertFalse(one.expectsContinue());
    assertTrue(two.isPersistent());
    assertTrue(two.expectsContinue());
  }

  @Test
  void trailersOfOneConnectionSurviveTheHeadOfAnother() throws Exception {
    ByteBuf first = buffer();
    ByteBuf second = buffer();
    String chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertSame(RequestParser.Result.HEAD, parse(one, first, chunked));
    assertSame(RequestParser.Result.MORE, parse(one, first, "0\r\nX-Sum: 1\r"));
    assertSame(RequestParser.Result.HEAD, parse(two, second, SECOND));
    assertSame(RequestParser.Result.END, parse(one, first, "\n\r\n"));
    assertEquals("1", one.trailers().get("x-sum"));
  }

  @Test
  void refusedHeadLeavesTheNextConnectionAFreshStart() throws Exception {
    assertThrows(
        Http1Exception.class, () -> parse(one, buffer(), "GET / HTTP/1.1\r\nA: b\r\nbad\0"));
    assertSame(RequestParser.Result.HEAD, parse(two, buffer(), SECOND));
    assertEquals("22", two.request().headers().get("x-second"));
  }

  @Test
  void limitsBelongToTheConnection() throws Exception {
    RequestParser strict =
        new RequestParser(
            Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.with(100, 1000, 1)), shared, false);
    assertSame(RequestParser.Result.HEAD, parse(one, buffer(), FIRST));
    Http1Exception refused =
        assertThrows(Http1Exception.class, () -> parse(strict, buffer(), FIRST));
    assertEquals(431, refused.status().code());
    assertSame(RequestParser.Result.HEAD, parse(two, buffer(), FIRST));
  }

  @Test
  void connectionsThatReadInTurnShareOneScanner() {
    LineScanner scanner = shared.scanner();
    shared.release(scanner);
    assertSame(scanner, shared.scanner());
    assertNotSame(scanner, shared.scanner());
  }

  @Test
  void connectionsOfALoopThreadShareThemAndThoseOfASteppedLoopDoNot() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(2));
        EmbeddedChannel stepped = new EmbeddedChannel()) {
      EventLoop first = group.loops().getFirst();
      EventLoop other = group.loops().getLast();
      SharedParsers ofFirst = first.submit(() -> SharedParsers.of(first)).await();
      assertSame(ofFirst, first.submit(() -> SharedParsers.of(first)).await());
      assertNotSame(ofFirst, other.submit(() -> SharedParsers.of(other)).await());
      assertNotSame(ofFirst, other.submit(() -> SharedParsers.of(first)).await());
      assertNotSame(SharedParsers.of(stepped.loop()), SharedParsers.of(stepped.loop()));
    }
  }
}
