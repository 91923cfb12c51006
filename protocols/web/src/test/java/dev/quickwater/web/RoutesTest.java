package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which handler a request reaches.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoutesTest {

  private RunningServer server;

  private static HttpHandler named(String name, String... parameters) {
    return x -> {
      StringBuilder text = new StringBuilder(name);
      for (String parameter : parameters) {
        text.append(' ').append(x.param(parameter));
      }
      x.respond(HttpResponse.text(text.toString()));
    };
  }

  @BeforeAll
  void start() {
    Routes routes =
        new Routes()
            .get("/", named("root"))
            .get("/users", named("users"))
            .post("/users", named("create"))
            .get("/users/{id}", named("user", "id"))
            .get("/users/me", named("me"))
            .get("/users/{id}/posts/{post}", named("post", "id", "post"))
            .get("/users/{id}/{rest...}", named("rest", "id", "rest"))
            .delete("/users/{id}", named("deleted", "id"))
            .mount("/mount", named("mount", "path"))
            .get(
                "/fail/{how}",
                x -> {
                  throw x.param("how").equals("known")
                      ? new NoSuchElementException("no such thing")
                      : new HttpException(HttpStatus.GONE, "gone");
                })
            .error(
                NoSuchElementException.class,
                e -> HttpResponse.text(HttpStatus.NOT_FOUND, e.getMessage()));
    server = Servers.start("nio", routes);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Wire.Answer ask(String method, String path) throws IOException {
    return Wire.ask(server, method, path);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /, root",
    "GET, /users, users",
    "POST, /users, create",
    "GET, /users/7, user 7",
    "GET, /users/me, me",
    "DELETE, /users/7, deleted 7",
    "GET, /users/7/posts/8, post 7 8",
    "GET, /users/me/posts/8, post me 8",
    "GET, /users/7/x/y/z, rest 7 x/y/z",
    "GET, /%75sers/%6de, me",
    "GET, /users/a%20b?q=1, user a b",
    "GET, /users/%C3%A4, user \u00e4",
    "GET, /users/7/../me, me",
    "PUT, /mount/a/b, mount a/b",
    "GET, /mount/, mount"
  })
  void requestComesToItsHandler(String method, String path, String expected) throws Exception {
    Wire.Answer answer = ask(method, path);
    assertEquals(200, answer.status());
    assertEquals(
        expected.strip(),
        new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8).strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/nothing", "/users/", "/users/a%2fb", "/users/%2e%2e/x%00", "/mounted", "/Users"})
  void otherPathsAreNotFound(String path) throws Exception {
    assertEquals(404, ask("GET", path).status());
  }

  @Test
  void methodsOfAPathAreKnown() throws Exception {
    Wire.Answer refused = ask("PUT", "/users");
    assertEquals(405, refused.status());
    assertEquals("GET, HEAD, OPTIONS, POST", refused.field("allow"));
    Wire.Answer options = ask("OPTIONS", "/users/7");
    assertEquals(204, options.status());
    assertEquals("DELETE, GET, HEAD, OPTIONS", options.field("allow"));
    assertEquals(501, ask("BREW", "/users").status());
    assertEquals(501, ask("BREW", "/nothing").status());
    try (Wire wire = new Wire(server)) {
      wire.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nHEAD /users HTTP/1.1\r\nHost: a\r\n\r\n");
      assertEquals(200, wire.answer().status());
      assertEquals(200, wire.answer(true).status());
    }
  }

  @Test
  void repeatedHeadFindsTheSameRoute() throws Exception {
    try (Wire wire = new Wire(server)) {
      for (String path : new String[] {"/users/7/posts/8", "/users/7", "/users/9"}) {
        String head = " " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
        String expected = path.replace("/users/", "user ").replace("/posts/", " ");
        for (int i = 0; i < 3; i++) {
          wire.send("GET" + head);
          assertEquals(expected.replaceFirst("^user (\\d+ )", "post $1"), wire.answer().text());
        }
        wire.send("PUT" + head);
        assertEquals(405, wire.answer().status());
      }
    }
  }

  @Test
  void tablesInATableKeepTheirRoutesApart() throws Exception {
    Routes inner = new Routes().get("/{a}/{b}", named("inner", "a", "b"));
    Routes outer = new Routes().mount("/x", inner).get("/{c}", named("outer", "c"));
    String head = "GET /x/y HTTP/1.1\r\nHost: a\r\n\r\n";
    try (RunningServer nested = Servers.start("nio", outer);
        Wire wire = new Wire(nested)) {
      for (int i = 0; i < 3; i++) {
        wire.send(head);
        assertEquals("inner x y", wire.answer().text());
      }
      inner.get("/x/{b}", named("later", "b"));
      wire.send(head);
      assertEquals("later y", wire.answer().text());
    }
  }

  @Test
  void failuresAreMappedByType() throws Exception {
    assertEquals("no such thing", ask("GET", "/fail/known").text());
    assertEquals(410, ask("GET", "/fail/other").status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "", "/{", "/{}", "/a{b}", "/{a}b", "/{a...}/b", "/{a}/{a}", "/{...}"})
  void malformedPatternsAreRefused(String pattern) {
    assertThrows(IllegalArgumentException.class, () -> new Routes().get(pattern, named("never")));
  }

  @Test
  void aPatternHasOneHandlerAMethod() {
    Routes routes = new Routes().get("/a/{b}", named("first"));
    assertThrows(IllegalArgumentException.class, () -> routes.get("/a/{b}", named("second")));
    assertThrows(IllegalArgumentException.class, () -> routes.post("/a/{c}", named("third")));
  }
}
