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
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings.Versions;

/// Passes each request on to a server behind it.
///
/// The request to that server uses the loop of the front exchange, so that bytes never change
/// threads. Both bodies are copied with back-pressure and trailers. If one side ends early, the
/// other side ends too. The versions of HTTP on the two sides are independent.
public final class HttpProxy implements HttpHandler {

  private final HttpClient client;
  private final Authority back;

  /// Passes requests on to `back`.
  public HttpProxy(HttpClient client, Authority back) {
    this.client = client;
    this.back = back;
  }

  /// Listens on the port in the first argument and passes requests on to the authority in the
  /// second, for example `localhost:8080`. With `h2` as the third argument that server is spoken to
  /// by HTTP/2.
  public static void main(String[] arguments) {
    boolean http2 = arguments.length == 3 && arguments[2].equals("h2");
    if (arguments.length != 2 && !http2) {
      System.err.println("usage: HttpProxy PORT HOST:PORT [h2]");
      return;
    }
    HttpClient client = client(http2 ? Versions.HTTP_2 : Versions.HTTP_1_1);
    HttpProxy proxy = new HttpProxy(client, Authority.of(arguments[1]));
    RunningServer server = HttpServer.create(proxy).listen(Integer.parseInt(arguments[0]));
    System.out.println("proxy on port " + server.port() + " for " + proxy.back);
  }

  // @start region=client
  /// A client that uses one version of HTTP.
  public static HttpClient client(Versions version) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    return HttpClient.create(settings.withVersions(settings.versions().with(version)));
  }

  // @end

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
    // the server behind limits its bodies
    front.limits(front.limits().withMaxBody(Long.MAX_VALUE));
    server.limits(server.limits().withMaxBody(Long.MAX_VALUE));
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
