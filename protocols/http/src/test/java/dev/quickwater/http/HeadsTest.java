package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.engine.EncodedHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Heads of requests and responses.
final class HeadsTest {

  @Test
  void absoluteUriGivesSchemeAuthorityAndTarget() {
    RequestHead head = RequestHead.get("https://Example.org:8443/a%20b?c=d");
    assertEquals("https", head.scheme());
    assertEquals(new Authority("example.org", 8443), head.authority());
    assertEquals("/a%20b?c=d", head.target().toString());
    assertEquals("/a b", head.path());
    assertEquals(HttpMethod.GET, head.method());
    assertEquals(0, head.contentLength());
    assertNull(head.protocol());
    assertEquals("GET /a%20b?c=d", head.toString());
  }

  @Test
  void originFormHasNoAuthority() {
    RequestHead head = RequestHead.get("/a");
    assertNull(head.authority());
    assertEquals("http", head.scheme());
  }

  @Test
  void builderKeepsWhatIsNotChanged() {
    RequestHead head =
        RequestHead.builder(HttpMethod.POST, "http://a/b")
            .add("x", "1")
            .contentLength(RequestHead.UNKNOWN_LENGTH)
            .build();
    RequestHead other = head.toBuilder().uri("/c").set(HeaderName.of("x"), "2").build();
    assertEquals("POST /c", other.toString());
    assertEquals(head.authority(), other.authority());
    assertEquals(HttpHeaders.of("x", "2"), other.headers());
    assertEquals(RequestHead.UNKNOWN_LENGTH, other.contentLength());
    assertEquals(HttpHeaders.of("x", "1"), head.headers());
  }

  @Test
  void connectHasAnAuthorityOnly() {
    RequestHead head = RequestHead.builder(HttpMethod.CONNECT, "a:443").build();
    assertEquals(new Authority("a", 443), head.authority());
    assertEquals("", head.path());
    assertThrows(IllegalArgumentException.class, () -> RequestHead.get("a:443"));
    RequestHead.Builder other = RequestHead.builder(HttpMethod.CONNECT, "/");
    assertThrows(IllegalArgumentException.class, other::build);
    RequestHead.Builder body = RequestHead.builder(HttpMethod.CONNECT, "a:1").contentLength(1);
    assertThrows(IllegalArgumentException.class, body::build);
  }

  @Test
  void asteriskIsForOptions() {
    assertTrue(RequestHead.builder(HttpMethod.OPTIONS, "*").build().target().isAsterisk());
    assertThrows(IllegalArgumentException.class, () -> RequestHead.get("*"));
  }

  @Test
  void partsOfARequestAreChecked() {
    RequestHead.Builder builder = RequestHead.builder(HttpMethod.GET, "/");
    assertThrows(IllegalArgumentException.class, () -> builder.scheme("ftp"));
    assertThrows(IllegalArgumentException.class, () -> builder.protocol("a b"));
    assertThrows(IllegalArgumentException.class, () -> builder.contentLength(-2));
    assertThrows(IllegalArgumentException.class, () -> builder.add("Host", "a"));
    assertThrows(IllegalArgumentException.class, () -> builder.uri("/ x"));
    assertEquals("websocket", builder.protocol("WebSocket").build().protocol());
    assertThrows(IllegalArgumentException.class, () -> builder.contentLength(1).build());
  }

  @Test
  void informationalStatusIsNoFinalHead() {
    for (int code = 100; code < 200; code++) {
      HttpStatus status = HttpStatus.of(code);
      assertThrows(IllegalArgumentException.class, () -> ResponseHead.of(status));
      assertThrows(IllegalArgumentException.class, () -> HttpResponse.of(status));
      assertThrows(IllegalArgumentException.class, () -> new HttpException(status, "x"));
    }
  }

  @Test
  void notModifiedHasNoContentType() {
    ResponseHead head = ResponseHead.of(HttpStatus.NOT_MODIFIED, "content-type", "a", "etag", "b");
    assertEquals(HttpHeaders.of("etag", "b"), head.headers());
    assertEquals(
        HttpHeaders.EMPTY,
        ResponseHead.of(HttpStatus.NOT_MODIFIED).with(HeaderName.CONTENT_TYPE, "a").headers());
  }

  @Test
  void responseHeadsChangeByCopy() {
    ResponseHead head = ResponseHead.of(HttpStatus.OK, "a", "b");
    assertEquals(ResponseHead.UNKNOWN_LENGTH, head.contentLength());
    assertEquals(5, head.withLength(5).contentLength());
    assertEquals(5, head.withLength(5).with(HeaderName.of("c"), "d").contentLength());
    assertEquals(HttpHeaders.of("c", "d"), head.withHeaders(HttpHeaders.of("c", "d")).headers());
    assertEquals(HttpHeaders.of("a", "b"), head.headers());
    assertThrows(IllegalArgumentException.class, () -> head.withLength(-2));
  }

  @Test
  void fieldThatOccursOnceIsReplaced() {
    ResponseHead head =
        ResponseHead.of(
            HttpStatus.OK, "Content-Type", "text/plain", "a", "b", "content-type", "text/css");
    assertEquals(
        HttpHeaders.of("a", "b", "content-type", "text/html"),
        head.with(HeaderName.CONTENT_TYPE, "text/html").headers());
    assertEquals(
        HttpHeaders.of("location", "/b"),
        ResponseHead.of(HttpStatus.FOUND, "location", "/a")
            .with(HeaderName.LOCATION, "/b")
            .headers());
  }

  @Test
  void fieldThatMayOccurTwiceIsAppended() {
    for (HeaderName name :
        List.of(HeaderName.SET_COOKIE, HeaderName.VARY, HeaderName.LINK, HeaderName.of("x-new"))) {
      ResponseHead head = ResponseHead.of(HttpStatus.OK).with(name, "a").with(name, "b");
      assertEquals(List.of("a", "b"), head.headers().getAll(name), name.toString());
    }
  }

  @Test
  void encodedFormIsCachedFromTheSecondUse() {
    ResponseHead head = ResponseHead.of(HttpStatus.OK, "A", "b").withLength(5);
    assertNull(head.encoded());
    EncodedHead encoded = head.encoded();
    assertNotNull(encoded);
    assertSame(encoded, head.encoded());
    assertEquals(
        "HTTP/1.1 200 OK\r\na: b\r\ncontent-length: 5\r\n",
        new String(encoded.bytes(), StandardCharsets.US_ASCII));
    assertTrue(encoded.hasLength());
    assertFalse(encoded.hasDate());
  }

  @Test
  void encodedFormSaysWhetherItHasADateOrALength() {
    ResponseHead head = ResponseHead.of(HttpStatus.NO_CONTENT, "date", "b").withLength(0);
    assertNull(head.encoded());
    EncodedHead encoded = head.encoded();
    assertNotNull(encoded);
    assertTrue(encoded.hasDate());
    assertFalse(encoded.hasLength());
    assertEquals(
        "HTTP/1.1 204 No Content\r\ndate: b\r\n",
        new String(encoded.bytes(), StandardCharsets.US_ASCII));
  }
}
