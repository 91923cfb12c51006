package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.examples.SecondVersion;
import dev.quickwater.http2.PushListener;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpClientSettings.RequestRules;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pushed responses to a client of another project, and to ours.
@Tag("full")
final class PushedResponsesTest {

  @TempDir private Path dir;

  private final RunningServer server =
      HttpServer.create(SecondVersion.pushing())
          .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  private final String url = "http://127.0.0.1:" + server.port() + "/";

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void nghttpReceivesTheStyleSheet() throws Exception {
    String output = Peer.run(dir, "nghttp", "-v", url);
    assertTrue(output.contains("recv PUSH_PROMISE frame"), output);
    assertTrue(output.contains("recv (stream_id=2) :status: 200"), output);
    assertTrue(output.contains("body { color: navy }"), output);
    assertFalse(output.contains("PROTOCOL_ERROR"), output);
  }

  @Test
  void ourClientReceivesTheStyleSheetOfNghttpd() throws Exception {
    Path files = Files.createDirectories(dir.resolve("files"));
    Files.writeString(files.resolve("page"), "a page");
    Files.writeString(files.resolve("style.css"), "body {}");
    BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
    PushListener listener =
        (cause, push) ->
            push.readAll(100)
                .onComplete(body ->
                    pushed.add(cause + ": " + push.request() + " " + new String(body.value())));
    try (Peer origin = Peer.nghttpd(dir);
        HttpClient client =
            HttpClient.create(
                HttpClientSettings.DEFAULT
                    .withVersions(VersionSettings.DEFAULT.with(VersionSettings.Versions.HTTP_2))
                    .withRequests(RequestRules.DEFAULT.withPushes(listener)))) {
      String page = "http://127.0.0.1:" + origin.port() + "/page";
      assertEquals("a page", client.get(page).await().text());
      assertEquals("GET /page: GET /style.css body {}", pushed.poll(20, TimeUnit.SECONDS));
      assertEquals("a page", client.get(page).await().text());
    }
  }

  @Test
  void nghttpThatDisablesPushReceivesThePageAlone() throws Exception {
    String output = Peer.run(dir, "nghttp", "-v", "--no-push", url);
    assertFalse(output.contains("PUSH_PROMISE"), output);
    assertTrue(output.contains("a page with a style sheet"), output);
  }
}
