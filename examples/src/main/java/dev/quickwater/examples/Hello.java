package dev.quickwater.examples;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;

/// The smallest server: its handler runs on the event loop.
public final class Hello {

  private Hello() {}

  /// Listens on the port in the first argument, 8080 without one.
  public static void main(String[] arguments) {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8080;
    RunningServer server =
        HttpServer.create(x -> x.respond(HttpResponse.text("hello\n"))).listen(port);
    System.out.println("listening on port " + server.port() + " by " + server.transport());
  }
}
