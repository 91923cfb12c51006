package dev.quickwater.cli;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The resources of `qw serve`.
final class ServeHandler implements HttpHandler {

  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final HttpHeaders TEXT =
      HttpHeaders.of("content-type", "text/plain", "server", "quickwater");
  private static final HttpHeaders JSON =
      HttpHeaders.of("content-type", "application/json", "server", "quickwater");
  private static final HttpHeaders OCTETS =
      HttpHeaders.of("content-type", "application/octet-stream", "server", "quickwater");

  private final @Nullable StaticFiles files;
  private final StatusPage page = new StatusPage();

  ServeHandler(@Nullable StaticFiles files) {
    this.files = files;
  }

  /// Gives the status page its figures.
  void started(RunningServer server) {
    page.watch(server);
  }

  @Override
  public void handle(HttpExchange exchange) throws Exception {
    HttpTarget target = exchange.request().target();
    if (target.hasPath("/plaintext")) {
      get(exchange, TEXT, ByteBuf.wrap(HELLO));
    } else if (target.hasPath("/json")) {
      get(exchange, JSON, ByteBuf.utf8("{\"message\":\"Hello, World!\"}"));
    } else if (target.hasPath("/echo")) {
      echo(exchange);
    } else if (target.hasPath("/")) {
      get(exchange, StatusPage.HTML, page.html());
    } else if (target.hasPath("/stats")) {
      get(exchange, JSON, page.figures());
    } else if (files != null && target.path().startsWith("/files/")) {
      files.handle(exchange);
    } else {
      exchange.respond(HttpResponse.text(HttpStatus.NOT_FOUND, "no such resource\n"));
    }
  }

  private static void get(HttpExchange exchange, HttpHeaders headers, ByteBuf content) {
    HttpMethod method = exchange.request().method();
    if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      exchange.respond(HttpResponse.of(HttpStatus.OK, headers, content));
    } else {
      content.release();
      refuse(exchange, "GET, HEAD");
    }
  }

  private static void refuse(HttpExchange exchange, String allowed) {
    exchange.respond(
        HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED, HttpHeaders.of("allow", allowed)));
  }

  private static void echo(HttpExchange exchange) {
    if (!exchange.request().method().equals(HttpMethod.POST)) {
      refuse(exchange, "POST");
      return;
    }
    exchange.respond(HttpResponse.head(HttpStatus.OK, OCTETS, HttpResponse.UNKNOWN_LENGTH));
    exchange.read(new Echo(exchange));
  }
}
