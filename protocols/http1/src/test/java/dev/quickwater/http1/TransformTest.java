package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Transformations that change how a response is delimited.
final class TransformTest {

  @TempDir Path dir;

  private HttpHandler file(ResponseHead head, long length) throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
    return x -> {
      x.onRespond(old -> head.withLength(length < 0 ? length : old.contentLength()));
      x.respond(
          ResponseHead.of(HttpStatus.OK),
          new FileRegion(x.loop().openFile(file), 0, Files.size(file)));
    };
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void fileWhoseLengthWasRemovedIsSentInChunks() throws IOException {
    try (TestServer server = new TestServer(file(ResponseHead.of(HttpStatus.OK), -1))) {
      StringBuilder sent = new StringBuilder(server.get("/").sent());
      while (server.outcomes().isEmpty()) {
        Thread.onSpinWait();
      }
      sent.append(server.sent());
      assertEquals(
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
              + "18\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n0\r\n\r\n",
          sent.toString());
    }
  }

  @Test
  void fileThatBecomesNotModifiedIsClosedAndTheNextRequestBegins() throws IOException {
    try (TestServer server = new TestServer(file(ResponseHead.of(HttpStatus.NOT_MODIFIED), 0))) {
      server.get("/1").get("/2");
      assertEquals(2, server.outcomes().size());
    }
  }

  @Test
  void responseWithoutContentThatBecomesOneWithContentEnds() {
    try (TestServer server =
        new TestServer(x -> {
          x.onRespond(head -> ResponseHead.of(HttpStatus.OK, head.headers()));
          x.respond(ResponseHead.of(HttpStatus.NO_CONTENT));
        })) {
      server.get("/");
      assertEquals(1, server.outcomes().size());
      assertTrue(server.sent().endsWith("\r\n\r\n0\r\n\r\n"));
    }
  }
}
