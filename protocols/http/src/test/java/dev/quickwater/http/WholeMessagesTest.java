package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.ResponseBody;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests and responses with their bodies.
final class WholeMessagesTest {

  private static final ResponseHead OK = ResponseHead.of(HttpStatus.OK);

  @Test
  void textIsUtf8() {
    HttpResponse response = HttpResponse.text("\u00e4");
    assertEquals(HttpStatus.OK, response.status());
    assertEquals(2, response.head().contentLength());
    assertEquals("text/plain; charset=utf-8", response.headers().get("content-type"));
    assertEquals("\u00e4", response.text());
    assertEquals(HttpStatus.GONE, HttpResponse.text(HttpStatus.GONE, "x").status());
  }

  @Test
  void bytesAreCopiedInAndOut() {
    byte[] body = {1, 2};
    HttpResponse response = HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, body);
    body[0] = 9;
    response.bytes()[1] = 9;
    assertArrayEquals(new byte[] {1, 2}, response.bytes());
    HttpRequest request = HttpRequest.post("/", "a/b", body);
    body[0] = 7;
    request.bytes()[1] = 7;
    assertArrayEquals(new byte[] {9, 2}, request.bytes());
    assertArrayEquals(new byte[] {9, 2}, request.bytes(EngineAccess.GRANTED));
  }

  @Test
  void responseWithoutContentHasLengthZero() {
    HttpResponse response = HttpResponse.of(HttpStatus.CREATED, "location", "/x");
    assertEquals(0, response.head().contentLength());
    assertEquals("/x", response.headers().get("location"));
    assertEquals("", response.text());
  }

  @Test
  void statusesWithoutContentRefuseIt() {
    for (int code : new int[] {204, 205, 304}) {
      HttpStatus status = HttpStatus.of(code);
      assertThrows(IllegalArgumentException.class, () -> HttpResponse.text(status, "x"));
      assertThrows(
          IllegalArgumentException.class,
          () -> HttpResponse.of(status, HttpHeaders.EMPTY, new byte[1]));
      assertThrows(
          IllegalArgumentException.class,
          () -> HttpResponse.stream(ResponseHead.of(status), _ -> {}));
      assertNull(HttpResponse.text(status, "").headers().get("content-type"));
    }
  }

  @Test
  void fieldIsAddedToACopy() {
    HttpResponse response = HttpResponse.text("x");
    HttpResponse other = response.with(HeaderName.ETAG, "\"1\"");
    assertEquals("\"1\"", other.headers().get(HeaderName.ETAG));
    assertEquals("x", other.text());
    assertEquals(1, other.head().contentLength());
    assertEquals(1, response.headers().size());
  }

  @Test
  void typeOfATextIsReplaced() {
    HttpResponse json = HttpResponse.text("{}").with(HeaderName.CONTENT_TYPE, "application/json");
    assertEquals(HttpHeaders.of("content-type", "application/json"), json.headers());
    assertEquals("{}", json.text());
  }

  @Test
  void bodyThatIsNotInMemoryHasNoBytes() {
    for (HttpResponse response :
        List.of(HttpResponse.file(OK, Path.of("x")), HttpResponse.stream(OK, _ -> {}))) {
      assertThrows(IllegalStateException.class, response::bytes);
      assertThrows(IllegalStateException.class, response::text);
    }
  }

  @Test
  void fileBelowARoot() {
    Path root = Path.of("root");
    ResponseBody.OfFile body =
        assertInstanceOf(ResponseBody.OfFile.class, HttpResponse.file(OK, root, "a/b.txt").body());
    assertEquals(root, body.root());
    assertEquals(Path.of("a/b.txt"), body.file());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/etc/passwd", "..", "../a", "a/../../b", "a/..", "a\u0000b"})
  void fileOutOfItsRootIsNotFound(String relative) {
    HttpException e =
        assertThrows(HttpException.class, () -> HttpResponse.file(OK, Path.of("root"), relative));
    assertEquals(HttpStatus.NOT_FOUND, e.status());
  }

  @Test
  void requestTakesTheLengthOfItsBody() {
    assertEquals(0, HttpRequest.get("http://a/").head().contentLength());
    HttpRequest post = HttpRequest.post("http://a/", "text/x", new byte[3]);
    assertEquals(3, post.head().contentLength());
    assertEquals("text/x", post.head().headers().get("content-type"));
    RequestHead unknown =
        RequestHead.builder(HttpMethod.PUT, "/").contentLength(RequestHead.UNKNOWN_LENGTH).build();
    assertEquals(2, HttpRequest.of(unknown, new byte[2]).head().contentLength());
    RequestHead tunnel = RequestHead.builder(HttpMethod.GET, "/").protocol("websocket").build();
    assertThrows(IllegalArgumentException.class, () -> HttpRequest.of(tunnel, new byte[1]));
  }

  @Test
  void pathParametersAreFoundByName() {
    PathParams params = PathParams.of(EngineAccess.GRANTED, "/u/{id}", List.of("id"), List.of("7"));
    assertEquals("7", params.get("id"));
    assertEquals("/u/{id}", params.pattern());
    assertThrows(IllegalArgumentException.class, () -> params.get("x"));
    assertThrows(
        IllegalArgumentException.class,
        () -> PathParams.of(EngineAccess.GRANTED, "/", List.of("a"), List.of()));
  }
}
