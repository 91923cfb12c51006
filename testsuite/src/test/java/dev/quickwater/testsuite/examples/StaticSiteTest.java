package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.examples.Average;
import dev.quickwater.examples.Fetch;
import dev.quickwater.examples.StaticSite;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RequestMetrics;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The site of static files with the client of the examples.
final class StaticSiteTest {

  @TempDir private Path folder;

  private static RunningServer listen(HttpServer server) {
    return server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Test
  void filesAreServedCountedAndSaved() throws Exception {
    Files.writeString(folder.resolve("a.txt"), "content");
    Path copy = folder.resolveSibling("copy");
    try (RunningServer server = listen(StaticSite.site(folder));
        HttpClient client = Fetch.client()) {
      String base = "http://127.0.0.1:" + server.port() + "/";
      RequestMetrics before = server.metrics().requests();
      HttpResponse response = client.blocking().get(base + "a.txt");
      assertEquals("max-age=3600", response.headers().get("cache-control"));
      assertEquals("content", Fetch.text(client, base + "a.txt"));
      Fetch.save(client, base + "a.txt", copy);
      assertEquals("content", Files.readString(copy));
      assertTrue(Fetch.text(client, base).contains("a.txt"), "the listing");
      String figures = StaticSite.figures(server, before);
      assertTrue(figures.contains(" requests, 0 with status 5xx, 99 % within "), figures);
    }
  }

  @Test
  void valuesAreSentAndReceived() throws Exception {
    try (RunningServer server = listen(HttpServer.create(Average.routes()));
        HttpClient client = Fetch.client()) {
      String uri = "http://127.0.0.1:" + server.port() + "/average";
      assertEquals(2.5, Fetch.average(client, uri, 1, 2, 4.5));
    }
  }
}
