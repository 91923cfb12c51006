package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.FrameTrace;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The initializer of connections that use HTTP/2, with traces of frames on both sides.
final class FrameTraceTest {

  private static final LoopSettings LOOPS = new LoopSettings(1, "auto");

  private final Queue<String> server = new ConcurrentLinkedQueue<>();
  private final Queue<String> client = new ConcurrentLinkedQueue<>();

  private static VersionSettings traced(
      VersionSettings settings, Versions versions, Queue<String> lines) {
    return settings
        .with(versions)
        .withHttp2Initializer(channel -> channel.pipeline().addLast(new FrameTrace(lines::add)));
  }

  private RunningServer listen(Versions versions) {
    HttpServerSettings settings = HttpServerSettings.DEFAULT.withLoops(LOOPS);
    return HttpServer.create(x -> x.respond(HttpResponse.text("hello")))
        .with(settings.withVersions(traced(settings.versions(), versions, server)))
        .listen(0);
  }

  private HttpClient client(Versions versions) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT.withLoops(LOOPS);
    return HttpClient.create(settings.withVersions(traced(settings.versions(), versions, client)));
  }

  private static String uri(RunningServer server) {
    return "http://127.0.0.1:" + server.port() + "/path";
  }

  private static List<String> frames(Queue<String> lines) {
    return lines.stream().map(line -> line.split(" ", 3)[2]).toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_2", "BOTH"})
  void bothSidesTraceTheSameFrames(Versions versions) throws Exception {
    try (RunningServer running = listen(versions);
        HttpClient http = client(Versions.HTTP_2)) {
      RequestHead head = RequestHead.builder(HttpMethod.POST, uri(running)).build();
      HttpResponse response = http.blocking().send(HttpRequest.of(head, new byte[100_000]));
      assertEquals("hello", response.text());
    }
    assertEquals("> 0 PREFACE", frames(client).get(1));
    assertTrue(frames(server).contains("< 0 PREFACE"), server::toString);
    for (String line : frames(client)) {
      if (line.matches("[<>] [1-9].*")) {
        String other = (line.startsWith("<") ? ">" : "<") + line.substring(1);
        assertTrue(frames(server).contains(other), () -> other + " in " + server);
      }
    }
    assertTrue(frames(server).stream().anyMatch(line -> line.contains("field=\":path: /path\"")));
  }

  @Test
  void connectionsOfHttp11AreNotTraced() throws Exception {
    try (RunningServer running = listen(Versions.BOTH);
        HttpClient http = client(Versions.HTTP_1_1)) {
      assertEquals("hello", http.blocking().get(uri(running)).text());
    }
    assertEquals(List.of(), frames(server));
    assertEquals(List.of(), frames(client));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_2", "BOTH"})
  void initializerThatThrowsClosesTheConnection(Versions versions) throws Exception {
    HttpServerSettings settings = HttpServerSettings.DEFAULT.withLoops(LOOPS);
    VersionSettings failing =
        settings
            .versions()
            .with(versions)
            .withHttp2Initializer(_ -> {
              throw new IllegalStateException("refused");
            });
    try (RunningServer running =
            HttpServer.create(x -> x.respond(HttpResponse.text("hello")))
                .with(settings.withVersions(failing))
                .listen(0);
        HttpClient http = client(Versions.HTTP_2)) {
      assertThrows(IOException.class, () -> http.blocking().get(uri(running)));
    }
  }

  @Test
  void logOfLinesIsWrittenWhole(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("lines");
    LineLog log = LineLog.to(file);
    for (int i = 0; i < 1000; i++) {
      log.accept("line " + i);
    }
    log.close();
    log.accept("too late");
    assertEquals(1, log.dropped());
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    assertEquals(1000, lines.size());
    assertEquals("line 999", lines.getLast());
  }
}
