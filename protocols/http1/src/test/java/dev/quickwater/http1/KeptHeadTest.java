package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Repeated heads give the same values with less work. The previous head never changes how a head
/// is read.
final class KeptHeadTest {

  private static final String FIELDS = "Host: a\r\nX: 1\r\n\r\n";

  private final RequestParser parser = new RequestParser(Http1Settings.DEFAULT);

  private RequestHead parse(String text) throws Http1Exception {
    ByteBuf in = ByteBuf.wrap(Parsing.bytes(text));
    assertSame(RequestParser.Result.HEAD, parser.parse(in));
    assertEquals(0, in.readableBytes());
    RequestHead head = parser.request();
    parser.next();
    return head;
  }

  @Test
  void equalHeadIsTheSameObject() throws Exception {
    RequestHead first = parse("GET /1 HTTP/1.1\r\n" + FIELDS);
    assertSame(first, parse("GET /1 HTTP/1.1\r\n" + FIELDS));
    assertNotSame(first, parse("GET /1 HTTP/1.1\r\nHost: a\r\nX: 2\r\n\r\n"));
  }

  @Test
  void equalFieldsAreTheSameObject() throws Exception {
    RequestHead first = parse("GET /1 HTTP/1.1\r\n" + FIELDS);
    RequestHead second = parse("HEAD /second?x HTTP/1.1\r\n" + FIELDS);
    assertEquals("HEAD /second?x", second.toString());
    assertSame(first.headers(), second.headers());
    assertEquals("GET /1", first.toString());
    assertSame(second, parse("HEAD /second?x HTTP/1.1\r\n" + FIELDS));
  }

  @Test
  void equalHostIsTheSameObjectAmongOtherFields() throws Exception {
    RequestHead first = parse("GET /1 HTTP/1.1\r\nHost: a:80\r\n\r\n");
    RequestHead second = parse("GET /1 HTTP/1.1\r\nX: 1\r\nhost: a:80\r\n\r\n");
    assertSame(first.authority(), second.authority());
    assertEquals(new Authority("b", -1), parse("GET /1 HTTP/1.1\r\nHost: b\r\n\r\n").authority());
  }

  @Test
  void versionDecidesWhatEqualFieldsMean() throws Exception {
    String fields = "Host: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
    ByteBuf in =
        ByteBuf.wrap(
            Parsing.bytes("PUT / HTTP/1.1\r\n" + fields + "xPUT / HTTP/1.0\r\n" + fields + "x"));
    for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_1_0)) {
      assertSame(RequestParser.Result.HEAD, parser.parse(in));
      assertSame(version, parser.version());
      assertEquals(version == HttpVersion.HTTP_1_1, parser.expectsContinue());
      assertEquals(version == HttpVersion.HTTP_1_1, parser.isPersistent());
      assertSame(RequestParser.Result.DATA, parser.parse(in));
      in.skip(1);
      assertSame(RequestParser.Result.END, parser.parse(in));
      parser.next();
    }
  }

  @Test
  void fieldsThatTheOldVersionAllowsAreRefusedInTheNewOne() throws Exception {
    parse("GET / HTTP/1.0\r\nX: 1\r\n\r\n");
    ByteBuf in = ByteBuf.wrap(Parsing.bytes("GET / HTTP/1.1\r\nX: 1\r\n\r\n"));
    assertThrows(Http1Exception.class, () -> parser.parse(in));
  }

  @Test
  void formOfTheTargetDecidesTheAuthority() throws Exception {
    parse("GET / HTTP/1.1\r\n" + FIELDS);
    RequestHead absolute = parse("GET http://b/ HTTP/1.1\r\n" + FIELDS);
    assertEquals(new Authority("b", -1), absolute.authority());
    assertEquals(new Authority("a", -1), parse("GET /x HTTP/1.1\r\n" + FIELDS).authority());
    assertEquals(new Authority("c", 1), parse("CONNECT c:1 HTTP/1.1\r\n" + FIELDS).authority());
    assertEquals(new Authority("a", -1), parse("GET / HTTP/1.1\r\n" + FIELDS).authority());
  }

  @Test
  void upgradeIsNoPartOfAConnect() throws Exception {
    String fields = "Host: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
    assertEquals("x", parse("GET / HTTP/1.1\r\n" + fields).protocol());
    assertEquals(null, parse("CONNECT a:1 HTTP/1.1\r\n" + fields).protocol());
    assertEquals("x", parse("GET /2 HTTP/1.1\r\n" + fields).protocol());
  }

  @Test
  void requestLineIsCheckedBeforeEqualFields() throws Exception {
    parse("GET / HTTP/1.1\r\n" + FIELDS);
    for (String line :
        List.of(
            "GET  / HTTP/1.1", "GET /\u00e4 HTTP/1.1", "G\u0001T / HTTP/1.1", "GET x HTTP/1.1")) {
      RequestParser next = new RequestParser(Http1Settings.DEFAULT);
      ByteBuf in =
          ByteBuf.wrap(Parsing.bytes("GET / HTTP/1.1\r\n" + FIELDS + line + "\r\n" + FIELDS));
      next.parse(in);
      next.next();
      assertThrows(Http1Exception.class, () -> next.parse(in));
    }
  }

  @Test
  void longerRequestLineCountsTowardsTheLimit() throws Exception {
    Http1Settings settings = Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.with(200, 300, 10));
    String fields = "Host: a\r\nX: " + "x".repeat(100) + "\r\n\r\n";
    for (int length = 1; length < 150; length++) {
      String head = "GET /" + "y".repeat(length) + " HTTP/1.1\r\n" + fields;
      Outcome alone = Parsing.of(settings, head);
      Outcome second = Parsing.of(settings, "GET / HTTP/1.1\r\n" + fields + head);
      assertEquals(alone.failure() == null, second.failure() == null, head);
    }
  }

  @Test
  void trimReleasesTheHead() throws Exception {
    RequestHead first = parse("GET /1 HTTP/1.1\r\n" + FIELDS);
    parser.trim();
    RequestHead second = parse("GET /1 HTTP/1.1\r\n" + FIELDS);
    assertNotSame(first, second);
    assertEquals(first.headers(), second.headers());
  }

  @Test
  void trimInsideABodyKeepsTheBody() throws Exception {
    ByteBuf in =
        ByteBuf.wrap(
            Parsing.bytes("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx"));
    parser.parse(in);
    assertSame(RequestParser.Result.DATA, parser.parse(in));
    parser.trim();
    assertTrue(parser.isInsideBody());
    in.skip(1);
    assertSame(RequestParser.Result.MORE, parser.parse(in));
  }

  @Test
  void largeFieldsAreNotKept() throws Exception {
    String large = "Host: a\r\nX: " + "x".repeat(KeptHead.MAX_FIELDS) + "\r\n\r\n";
    RequestHead first = parse("GET / HTTP/1.1\r\n" + large);
    assertNotSame(first.headers(), parse("GET / HTTP/1.1\r\n" + large).headers());
  }

  @Test
  void headsOfARowAreReadAsAlone() {
    Random random = new Random(2026);
    String[] lines = {
      "GET / HTTP/1.1",
      "GET /abc HTTP/1.1",
      "HEAD / HTTP/1.0",
      "GET http://c/ HTTP/1.1",
      "CONNECT d:1 HTTP/1.1",
      "OPTIONS * HTTP/1.1",
      "GET /" + "x".repeat(300) + " HTTP/1.1",
      "GET / HTTP/1.3",
      "BREW /?a HTTP/1.1"
    };
    String[] fields = {
      "",
      "Host: a\r\n",
      "Host: b\r\nX: 1\r\n",
      "Host: b\r\nX: 2\r\n",
      "host: b\r\nX: 1\r\n",
      "Host: b\r\nConnection: close\r\n",
      "Connection: upgrade\r\nHost: b\r\nUpgrade: x\r\n",
      "Host: b\r\nContent-Length: 0\r\n",
      "Host: b\r\nConnection: keep-alive, x\r\nX: 1\r\n"
    };
    for (int round = 0; round < 3000; round++) {
      StringBuilder row = new StringBuilder();
      List<Object> expected = new ArrayList<>();
      boolean refused = false;
      for (int i = 0; i < 6 && !refused; i++) {
        String head =
            lines[random.nextInt(lines.length)]
                + "\r\n"
                + fields[random.nextInt(1 + random.nextInt(fields.length))]
                + "\r\n";
        Outcome alone = decode(head, List.of());
        row.append(head);
        expected.addAll(alone.events());
        refused = alone.failure() != null;
      }
      for (List<Integer> cuts : List.of(List.<Integer>of(), List.of(row.length() / 2))) {
        Outcome outcome = decode(row.toString(), cuts);
        assertEquals(expected, outcome.events(), row::toString);
        if (refused) {
          assertInstanceOf(Http1Exception.class, outcome.failure());
        }
        assertFalse(!refused && outcome.failure() != null, row::toString);
      }
    }
  }

  private static Outcome decode(String text, List<Integer> cuts) {
    return Parsing.verifier(Http1Settings.DEFAULT).decode(Parsing.bytes(text), cuts);
  }
}
