package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.examples.SecondVersion;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.LineLog;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecondVersionTest {

  @Test
  void requestIsAnsweredByHttp2AndTraced(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("trace");
    try (LineLog log = LineLog.to(file);
        RunningServer server =
            SecondVersion.server(log)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = SecondVersion.client()) {
      String uri = "http://127.0.0.1:" + server.port() + "/";
      assertEquals("hello by HTTP/2\n", client.blocking().get(uri).text());
    }
    String trace = Files.readString(file);
    assertTrue(trace.contains("data=\"hello by HTTP/2\\n\""), trace);
    assertTrue(trace.contains("MAX_CONCURRENT_STREAMS=200"), trace);
    assertTrue(trace.endsWith("CLOSE\n"), trace);
  }

  @Test
  void upgradingServerAnswersBothVersions() throws Exception {
    try (RunningServer server =
            SecondVersion.upgrading()
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = SecondVersion.client();
        HttpClient first = HttpClient.create()) {
      String uri = "http://127.0.0.1:" + server.port() + "/";
      assertEquals("hello by HTTP/2\n", client.blocking().get(uri).text());
      assertEquals("hello by HTTP/1.1\n", first.blocking().get(uri).text());
    }
  }

  /// Our client accepts no pushed response.
  @Test
  void pushingServerAnswersClientsThatAcceptNothing() throws Exception {
    try (RunningServer server =
            HttpServer.create(SecondVersion.pushing())
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = SecondVersion.client();
        HttpClient first = HttpClient.create()) {
      String uri = "http://127.0.0.1:" + server.port() + "/";
      assertEquals("a page with a style sheet\n", client.blocking().get(uri).text());
      assertEquals("a page with a style sheet\n", first.blocking().get(uri).text());
    }
  }
}
