package dev.quickwater.examples;

import dev.quickwater.web.AccessLog;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RequestMetrics;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import dev.quickwater.web.StaticFilesSettings;
import java.io.IOException;
import java.nio.file.Path;

/// The files of a folder, with an access log, figures, and a drain when the process ends.
public final class StaticSite {

  private StaticSite() {}

  /// Serves the folder in the first argument on the port in the second and logs to the file in the
  /// third.
  public static void main(String[] arguments) throws IOException {
    HttpServer site = site(Path.of(arguments[0]));
    int port = Integer.parseInt(arguments[1]);
    // @start region=run
    AccessLog log = AccessLog.to(Path.of(arguments[2]), AccessLog.Format.COMBINED);
    RunningServer server = site.filter(log).listen(port);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              server.drain();
              log.close();
            }));
    // @end

    System.out.println("listening on port " + server.port());
  }

  /// A server for the files of a folder.
  public static HttpServer site(Path folder) throws IOException {
    // @start region=files
    StaticFilesSettings settings =
        StaticFilesSettings.DEFAULT
            .withCacheControl("max-age=3600")
            .withPrecompressed(true)
            .withMaxListed(1_000);
    return HttpServer.create(StaticFiles.at("/", folder).with(settings));
    // @end

  }

  /// A line of figures of the period since `before`.
  public static String figures(RunningServer server, RequestMetrics before) {
    // @start region=metrics
    RequestMetrics period = server.metrics().requests().since(before);
    return period.ended()
        + " requests, "
        + period.withStatus(5)
        + " with status 5xx, 99 % within "
        + period.latency(0.99).toMillis()
        + " ms";
    // @end

  }
}
