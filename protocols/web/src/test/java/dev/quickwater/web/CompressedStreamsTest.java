package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Bodies that virtual threads make, through [Compress].
final class CompressedStreamsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ResponseHead TEXT =
      ResponseHead.of(HttpStatus.OK, "content-type", "text/plain");

  private final byte[] content = new byte[1_000_000];

  CompressedStreamsTest() {
    new Random(1).nextBytes(content);
  }

  private void assertWhole(Versions versions, HttpHandler handler) throws Exception {
    HttpClientSettings defaults = HttpClientSettings.DEFAULT;
    HttpClientSettings settings =
        defaults
            .withLoops(new LoopSettings(1, "nio"))
            .withVersions(defaults.versions().with(versions));
    Compress filter = new Compress();
    try (RunningServer server = Servers.start("nio", x -> filter.handle(x, handler));
        HttpClient client = HttpClient.create(settings)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, "http://127.0.0.1:" + server.port() + "/")
              .add(HeaderName.ACCEPT_ENCODING, "gzip")
              .build();
      HttpResponse response = client.send(HttpRequest.of(head, new byte[0])).await(PATIENCE);
      assertEquals("gzip", response.headers().get(HeaderName.CONTENT_ENCODING));
      byte[] plain = new GZIPInputStream(new ByteArrayInputStream(response.bytes())).readAllBytes();
      assertArrayEquals(content, plain);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void bodyOfAWriterIsWhole(Versions versions) throws Exception {
    assertWhole(
        versions,
        x ->
            x.respond(
                HttpResponse.stream(
                    TEXT,
                    out -> {
                      for (int at = 0; at < content.length; at += 100_000) {
                        out.write(content, at, 100_000);
                        out.flush();
                      }
                    })));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void fileIsWhole(Versions versions, @TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("a.txt"), content);
    assertWhole(versions, x -> x.respond(HttpResponse.file(TEXT, file)));
  }
}
