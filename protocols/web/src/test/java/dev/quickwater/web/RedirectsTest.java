package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedirectsTest {

  private static HttpRequest request(HttpMethod method, byte[] body) {
    return HttpRequest.of(
        RequestHead.builder(method, "http://a/dir/file?q=1")
            .add("authorization", "secret")
            .add("cookie", "c")
            .add("content-type", "text/plain")
            .add("accept", "x")
            .build(),
        body);
  }

  private static HttpRequest follow(HttpMethod method, int status, String location)
      throws IOException {
    byte[] body = method.equals(HttpMethod.GET) ? new byte[0] : new byte[3];
    return Objects.requireNonNull(
        Redirects.next(
            request(method, body), HttpResponse.of(HttpStatus.of(status), "location", location)));
  }

  @ParameterizedTest
  @CsvSource({
    "301, POST, GET",
    "302, POST, GET",
    "303, POST, GET",
    "303, PUT, GET",
    "301, PUT, PUT",
    "302, DELETE, DELETE",
    "307, POST, POST",
    "308, POST, POST",
    "303, HEAD, HEAD",
    "301, GET, GET"
  })
  void methodFollowsTheStatus(int status, String method, String next) throws IOException {
    HttpRequest followed = follow(HttpMethod.of(method), status, "/x");
    assertEquals(next, followed.head().method().name());
    boolean same = method.equals(next);
    assertEquals(same && !method.equals("GET") ? 3 : 0, followed.bytes().length);
    assertEquals(same, followed.head().headers().contains("content-type"));
    assertTrue(followed.head().headers().contains("accept"));
  }

  @ParameterizedTest
  @CsvSource({
    "/x, http://a/x",
    "x, http://a/dir/x",
    "../x?y, http://a/x?y",
    "?z, http://a/dir/file?z",
    "//b/x, http://b/x",
    "http://b:81/x#fragment, http://b:81/x",
    "#fragment, http://a/dir/file?q=1"
  })
  void locationIsResolved(String location, String expected) throws IOException {
    RequestHead head = follow(HttpMethod.GET, 302, location).head();
    assertEquals(expected, head.scheme() + "://" + head.authority() + head.target());
  }

  @Test
  void credentialsStayWithTheirOrigin() throws IOException {
    assertTrue(keeps("/x"));
    assertTrue(keeps("http://a:80/x"));
    assertTrue(keeps("http://A/x"));
    assertFalse(keeps("http://a:81/x"));
    assertFalse(keeps("https://a/x"));
    assertFalse(keeps("http://b/x"));
    assertFalse(keeps("//a.b/x"));
  }

  private static boolean keeps(String location) throws IOException {
    RequestHead head = follow(HttpMethod.GET, 302, location).head();
    boolean authorization = head.headers().contains("authorization");
    assertEquals(authorization, head.headers().contains("cookie"));
    return authorization;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ftp://a/", "http://", "http://user@b/", "javascript:x", "http://b/ x", "a:1"})
  void otherTargetsAreRefused(String location) {
    assertThrows(IOException.class, () -> follow(HttpMethod.GET, 302, location));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 300, 304, 404})
  void otherStatusesAreNotFollowed(int status) throws IOException {
    assertNull(
        Redirects.next(
            request(HttpMethod.GET, new byte[0]),
            HttpResponse.of(HttpStatus.of(status), "location", "/x")));
  }
}
