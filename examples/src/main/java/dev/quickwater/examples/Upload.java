package dev.quickwater.examples;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.io.OutputStream;

/// A blocking handler on a virtual thread: counts the bytes that are sent to it.
public final class Upload {

  private Upload() {}

  /// Listens on the port in the first argument, 8080 without one.
  public static void main(String[] arguments) {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8080;
    // @start region=handler
    RunningServer server =
        HttpServer.create(
                Blocking.handler(x -> {
                  long bytes = x.body().transferTo(OutputStream.nullOutputStream());
                  return HttpResponse.text(x.request().path() + " got " + bytes + " bytes\n");
                }))
            .listen(port);
    // @end

    System.out.println("listening on port " + server.port() + " by " + server.transport());
  }
}
