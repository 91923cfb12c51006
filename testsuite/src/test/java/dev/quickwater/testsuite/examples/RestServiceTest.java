package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.quickwater.examples.RestService;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The REST example with the client of the JDK.
final class RestServiceTest {

  @TempDir private Path folder;

  private interface Client {
    HttpResponse<byte[]> send(String method, String path, byte[] body) throws Exception;
  }

  private void serve(ThrowingConsumer test) throws Exception {
    try (RunningServer server =
            HttpServer.create(RestService.routes(folder))
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      String base = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":";
      test.accept((method, path, body) ->
          client.send(
              HttpRequest.newBuilder(URI.create(base + server.port() + path))
                  .method(
                      method,
                      body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                  .build(),
              BodyHandlers.ofByteArray()));
    }
  }

  private interface ThrowingConsumer {
    void accept(Client client) throws Exception;
  }

  private static final byte[] NONE = {};

  @Test
  void uploadsComeBack() throws Exception {
    byte[] content = new byte[5_000_000];
    new Random(7).nextBytes(content);
    serve(client -> {
      assertEquals(201, client.send("PUT", "/files/a%20b", content).statusCode());
      assertArrayEquals(content, Files.readAllBytes(folder.resolve("a b")));
      assertArrayEquals(content, client.send("GET", "/files/a%20b", NONE).body());
      assertEquals("5000000\n", new String(client.send("GET", "/sizes/a%20b", NONE).body()));
    });
  }

  @Test
  @Timeout(60)
  void interruptedUploadKeepsTheFile() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "complete");
    try (RunningServer server =
        HttpServer.create(RestService.routes(folder))
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        client
            .getOutputStream()
            .write("PUT /files/a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf".getBytes());
        while (!read(folder).contains(".part")) {
          Thread.onSpinWait();
        }
      }
      while (read(folder).contains(".part")) {
        Thread.onSpinWait();
      }
      assertEquals("complete", Files.readString(file));
    }
  }

  @Test
  void failuresHaveTheirStatus() throws Exception {
    Files.writeString(folder.resolveSibling("secret"), "secret");
    serve(client -> {
      assertEquals(404, client.send("GET", "/sizes/missing", NONE).statusCode());
      assertEquals(404, client.send("GET", "/files/missing", NONE).statusCode());
      assertEquals(404, client.send("GET", "/files/..%2fsecret", NONE).statusCode());
      assertEquals(405, client.send("DELETE", "/files/missing", NONE).statusCode());
    });
    assertFalse(read(folder).contains("secret"));
  }

  private static String read(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList().toString().replace(folder.toString(), "");
    }
  }
}
