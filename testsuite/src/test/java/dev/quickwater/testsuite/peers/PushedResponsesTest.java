package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.examples.SecondVersion;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pushed responses to a client of another project.
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
  void nghttpThatDisablesPushReceivesThePageAlone() throws Exception {
    String output = Peer.run(dir, "nghttp", "-v", "--no-push", url);
    assertFalse(output.contains("PUSH_PROMISE"), output);
    assertTrue(output.contains("a page with a style sheet"), output);
  }
}
