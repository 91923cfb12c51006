package dev.quickwater.cli;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The resources of `qw serve`.
final class ServeHandler implements HttpHandler {

  private static final HttpResponse PLAINTEXT = whole("text/plain", "Hello, World!");
  private static final HttpResponse JSON =
      whole("application/json", "{\"message\":\"Hello, World!\"}");
  private static final ResponseHead OCTETS =
      ResponseHead.of(HttpStatus.OK, fields("application/octet-stream"));

  private final StatusPage page = new StatusPage();
  private final Routes routes;

  ServeHandler(@Nullable StaticFiles files) {
    routes =
        new Routes()
            .get("/plaintext", x -> x.respond(PLAINTEXT))
            .get("/json", x -> x.respond(JSON))
            .post("/echo", x -> x.requestBody().pipeTo(x.respond(OCTETS)))
            .get("/", x -> x.respond(page.html()))
            .get("/stats", x -> x.respond(page.figures()));
    if (files != null) {
      routes.mount("/files", files);
    }
  }

  static HttpHeaders fields(String type) {
    return HttpHeaders.of("content-type", type, "server", "quickwater");
  }

  static HttpResponse whole(String type, String text) {
    return HttpResponse.of(HttpStatus.OK, fields(type), text.getBytes(StandardCharsets.UTF_8));
  }

  /// The server that the status page shows.
  void started(RunningServer server) {
    page.watch(server);
  }

  @Override
  public void handle(HttpExchange x) throws Exception {
    routes.handle(x);
  }
}
