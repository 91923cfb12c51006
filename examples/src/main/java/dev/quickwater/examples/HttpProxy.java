package dev.quickwater.examples;

import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;

/// Passes each request on to a server behind it.
///
/// The request to that server uses the loop of the front exchange, so that bytes never change
/// threads. Both bodies are copied with back-pressure and trailers. If one side ends early, the
/// other side ends too.
public final class HttpProxy implements HttpHandler {

  private final HttpClient client;
  private final Authority back;

  /// Passes requests on to `back`.
  public HttpProxy(HttpClient client, Authority back) {
    this.client = client;
    this.back = back;
  }

  /// Listens on the port in the first argument and passes requests on to the authority in the
  /// second, for example `localhost:8080`.
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("usage: HttpProxy PORT HOST:PORT");
      return;
    }
    HttpProxy proxy = new HttpProxy(HttpClient.create(), Authority.of(arguments[1]));
    RunningServer server = HttpServer.create(proxy).listen(Integer.parseInt(arguments[0]));
    System.out.println("proxy on port " + server.port() + " for " + proxy.back);
  }

  // @start region=open
  @Override
  public void handle(HttpExchange front) {
    RequestHead head = front.request().toBuilder().scheme("http").authority(back).build();
    client
        .on(front.loop())
        .open(head)
        .onComplete(opened -> {
          if (opened.isSuccess()) {
            join(front, opened.value());
          } else {
            front.fail(new HttpException(HttpStatus.BAD_GATEWAY, "the server is not reachable"));
          }
        });
  }

  // @end

  // @start region=join
  private static void join(HttpExchange front, ClientExchange server) {
    front.onEnd(end -> {
      if (!end.isCompleted()) {
        server.reset(ResetCode.CANCEL);
      }
    });
    server.onEnd(end -> {
      if (!end.isCompleted()) {
        front.fail(new HttpException(HttpStatus.BAD_GATEWAY, "the server did not answer"));
      }
    });
    server.onInform(front::inform);
    server.onResponse(response -> server.responseBody().pipeTo(front.respond(response)));
    front.requestBody().pipeTo(server.requestBody());
  }
  // @end

}
