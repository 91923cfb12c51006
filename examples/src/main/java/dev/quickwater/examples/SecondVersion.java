package dev.quickwater.examples;

import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.BudgetSettings.Rate;
import dev.quickwater.http2.BudgetSettings.Resets;
import dev.quickwater.http2.FrameTrace;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.http2.WindowSettings;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.LineLog;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.nio.file.Path;

/// HTTP/2: a client, limits of a server, and a trace of its frames.
public final class SecondVersion {

  private static final HttpHandler HELLO =
      x -> x.respond(HttpResponse.text("hello by " + x.connection().version() + "\n"));

  private SecondVersion() {}

  /// Listens on the port in the first argument and writes a trace to the file in the second.
  public static void main(String[] arguments) throws IOException {
    LineLog log = LineLog.to(Path.of(arguments[1]));
    RunningServer server = server(log).listen(Integer.parseInt(arguments[0]));
    System.out.println("listening on port " + server.port());
  }

  /// A client that uses HTTP/2.
  public static HttpClient client() {
    // @start region=client
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    return HttpClient.create(settings.withVersions(settings.versions().with(Versions.HTTP_2)));
    // @end

  }

  /// A server that traces connections of HTTP/2.
  public static HttpServer server(LineLog log) {
    // @start region=trace
    VersionSettings traced =
        limits().withHttp2Initializer(channel -> channel.pipeline().addLast(new FrameTrace(log)));
    return HttpServer.create(HELLO).with(HttpServerSettings.DEFAULT.withVersions(traced));
    // @end

  }

  /// A server that allows the upgrade from HTTP/1.1.
  public static HttpServer upgrading() {
    // @start region=upgrade
    return HttpServer.create(HELLO)
        .with(
            HttpServerSettings.DEFAULT.withVersions(VersionSettings.DEFAULT.withH2cUpgrade(true)));
    // @end

  }

  /// A page whose style sheet is pushed to clients that accept it.
  public static Routes pushing() {
    // @start region=push
    return new Routes()
        .get(
            "/",
            x -> {
              if (x.acceptsPush()) {
                x.push(RequestHead.get("/style.css"));
              }
              x.respond(HttpResponse.text("a page with a style sheet\n"));
            })
        .get("/style.css", x -> x.respond(HttpResponse.text("body { color: navy }\n")));
    // @end

  }

  /// Other limits than the defaults.
  private static VersionSettings limits() {
    // @start region=limits
    Http2Settings http2 = Http2Settings.DEFAULT;
    return VersionSettings.DEFAULT.withHttp2(
        http2
            .withWindows(new WindowSettings(65_535, 1 << 20, 1 << 20, 32 << 20)) // for 256 streams
            .withStreams(new Http2Settings.StreamLimits(200, 16 << 10, 100, 64 << 10, 4 << 10))
            .withBudgets(http2.budgets().withResets(new Resets(new Rate(100, 50), 1_000))));
    // @end

  }
}
