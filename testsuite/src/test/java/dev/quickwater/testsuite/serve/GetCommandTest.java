package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.Compress;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GetCommandTest {

  private record Result(int status, String output, String errors) {}

  private static Result get(Path dir, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            ServeProcess.NATIVE,
            "-cp",
            System.getProperty("java.class.path"),
            "dev.quickwater.cli.Main",
            "get"));
    command.addAll(List.of(arguments));
    Path output = dir.resolve("output");
    Path errors = dir.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running");
    return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  private static RunningServer server(byte[] large) {
    Routes routes =
        new Routes()
            .get("/", x -> x.respond(HttpResponse.text("hello")))
            .get("/moved", x -> x.respond(HttpResponse.of(HttpStatus.FOUND, "location", "/")))
            .get(
                "/large",
                x ->
                    x.respond(
                        HttpResponse.stream(
                            ResponseHead.of(HttpStatus.OK), out -> out.write(large))))
            .get(
                "/broken",
                x ->
                    x.respond(
                        HttpResponse.stream(
                            ResponseHead.of(HttpStatus.OK),
                            out -> {
                              out.write(large, 0, 100_000);
                              throw new IOException("fault of the test");
                            })));
    return serve(routes);
  }

  @Test
  void contentGoesToTheOutputOrAFile(@TempDir Path dir) throws Exception {
    byte[] large = new byte[40_000_000];
    new Random(1).nextBytes(large);
    try (RunningServer server = server(large)) {
      String authority = "127.0.0.1:" + server.port();
      assertEquals(new Result(0, "hello", ""), get(dir, "http://" + authority + "/"));
      assertEquals(new Result(0, "hello", ""), get(dir, authority + "/moved"));
      Path file = dir.resolve("file");
      assertEquals(new Result(0, "", ""), get(dir, authority + "/large", "-o", file.toString()));
      assertArrayEquals(large, Files.readAllBytes(file));
    }
  }

  @Test
  void compressedContentIsWrittenDecoded(@TempDir Path dir) throws Exception {
    String text = "compressible ".repeat(1000);
    HttpHandler handler =
        x ->
            x.respond(
                HttpResponse.text(x.request().headers().get("accept-encoding") + " " + text)
                    .with(HeaderName.ETAG, "\"tag\""));
    try (RunningServer server = serve(new Compress().around(handler))) {
      String url = "127.0.0.1:" + server.port() + "/";
      assertEquals(new Result(0, "null " + text, ""), get(dir, url));
      assertEquals(new Result(0, "gzip, deflate " + text, ""), get(dir, url, "--compressed"));
      Path file = dir.resolve("file");
      assertEquals(new Result(0, "", ""), get(dir, url, "--compressed", "-o", file.toString()));
      assertEquals("gzip, deflate " + text, Files.readString(file));
    }
  }

  @Test
  void partOfDecodedContentIsNotKept(@TempDir Path dir) throws Exception {
    Flaky flaky = new Flaky();
    try (RunningServer server = serve(flaky)) {
      String url = "127.0.0.1:" + server.port() + "/";
      Path file = dir.resolve("file");
      Result broken = get(dir, url, "--compressed", "-o", file.toString());
      assertEquals(1, broken.status, broken.errors);
      assertFalse(Files.exists(dir.resolve("file.part")), "it cannot be resumed");
    }
  }

  @Test
  void failureIsOneLineAndExitStatusOne(@TempDir Path dir) throws Exception {
    try (RunningServer server = server("x".repeat(100_000).getBytes(StandardCharsets.UTF_8))) {
      String authority = "127.0.0.1:" + server.port();
      Path file = dir.resolve("file");
      Result missing = get(dir, authority + "/none", "-o", file.toString());
      assertEquals(1, missing.status);
      assertTrue(missing.errors.contains("answered 404"), missing.errors);
      assertFalse(Files.exists(file), "a file was created");
      Result broken = get(dir, authority + "/broken", "-o", file.toString());
      assertEquals(1, broken.status);
      assertEquals(1, broken.errors.lines().count(), broken.errors);
      assertFalse(Files.exists(dir.resolve("file.part")), "it cannot be resumed");
    }
  }

  /// A resource that breaks off at the middle when it is requested as a whole; its content is its
  /// tag, repeated.
  private static final class Flaky implements HttpHandler {
    volatile String tag = "\"a\"";
    volatile boolean breaks = true;
    final List<String> ranges = new CopyOnWriteArrayList<>();

    byte[] content() {
      return tag.repeat(50_000).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void handle(HttpExchange x) {
      byte[] content = content();
      @Nullable String range = x.request().headers().get("range");
      ranges.add(range + " " + x.request().headers().get("if-range"));
      HttpHeaders fields = HttpHeaders.of("etag", tag);
      if (range != null && tag.equals(x.request().headers().get("if-range"))) {
        int from = Integer.parseInt(range.substring(6, range.length() - 1));
        byte[] rest = Arrays.copyOfRange(content, from, content.length);
        HttpHeaders part =
            fields.toBuilder()
                .add(
                    "content-range",
                    "bytes " + from + "-" + (content.length - 1) + "/" + content.length)
                .build();
        x.respond(HttpResponse.of(HttpStatus.PARTIAL_CONTENT, part, rest));
      } else if (breaks) {
        x.respond(
            HttpResponse.stream(
                ResponseHead.of(HttpStatus.OK, fields).withLength(content.length),
                out -> {
                  out.write(content, 0, content.length / 2);
                  throw new IOException("fault of the test");
                }));
      } else {
        x.respond(HttpResponse.of(HttpStatus.OK, fields, content));
      }
    }
  }

  private static RunningServer serve(HttpHandler handler) {
    return HttpServer.create(handler)
        .with(HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "nio")))
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static List<String> names(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void interruptedDownloadResumes(@TempDir Path dir, @TempDir Path target) throws Exception {
    Flaky flaky = new Flaky();
    try (RunningServer server = serve(flaky)) {
      String url = "127.0.0.1:" + server.port() + "/flaky";
      Path file = Files.writeString(target.resolve("file"), "old");
      Result broken = get(dir, url, "-o", file.toString());
      assertEquals(3, broken.status, broken.errors);
      assertTrue(broken.errors.contains("the same command resumes"), broken.errors);
      assertEquals(1, broken.errors.lines().count(), broken.errors);
      assertEquals("old", Files.readString(file));
      assertEquals(List.of("file", "file.part", "file.part.info"), names(target));
      long kept = Files.size(target.resolve("file.part"));
      assertTrue(kept > 0 && kept <= 75_000, "kept " + kept);
      assertEquals(new Result(0, "", ""), get(dir, url, "-o", file.toString()));
      assertArrayEquals(flaky.content(), Files.readAllBytes(file));
      assertEquals(List.of("file"), names(target));
      assertEquals(List.of("null null", "bytes=" + kept + "- \"a\""), flaky.ranges);
    }
  }

  @Test
  void downloadOfChangedContentRestarts(@TempDir Path dir, @TempDir Path target) throws Exception {
    Flaky flaky = new Flaky();
    try (RunningServer server = serve(flaky)) {
      String url = "127.0.0.1:" + server.port() + "/flaky";
      Path file = target.resolve("file");
      assertEquals(3, get(dir, url, "-o", file.toString()).status);
      flaky.tag = "\"changed\"";
      assertEquals(3, get(dir, url, "-o", file.toString()).status);
      String part = Files.readString(target.resolve("file.part"));
      assertTrue(part.startsWith("\"changed\""), "the old part is gone");
      flaky.breaks = false;
      assertEquals(0, get(dir, url + "?other", "-o", file.toString()).status);
      assertArrayEquals(flaky.content(), Files.readAllBytes(file));
      assertEquals("null null", flaky.ranges.getLast(), "another URL is another download");
      assertEquals(List.of("file"), names(target));
    }
  }

  @Test
  void downloadIsResumedFromStaticFiles(@TempDir Path dir, @TempDir Path target) throws Exception {
    Path root = Files.createDirectory(target.resolve("root"));
    Path source = Files.writeString(root.resolve("a"), "0123456789");
    Files.setLastModifiedTime(source, FileTime.fromMillis(1_000_000_000_000L));
    try (RunningServer server = serve(StaticFiles.at("/", root))) {
      String url = "http://127.0.0.1:" + server.port() + "/a";
      String tag =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
              .headers()
              .firstValue("etag")
              .orElseThrow();
      Path file = target.resolve("file");
      Files.writeString(target.resolve("file.part"), "abcd");
      Files.writeString(target.resolve("file.part.info"), url + "\n" + tag + "\n");
      assertEquals(new Result(0, "", ""), get(dir, url, "-o", file.toString()));
      assertEquals("abcd456789", Files.readString(file));
      Files.writeString(target.resolve("file.part"), "longer than the content");
      Files.writeString(target.resolve("file.part.info"), url + "\n" + tag + "\n");
      assertEquals(new Result(0, "", ""), get(dir, url, "-o", file.toString()));
      assertEquals("0123456789", Files.readString(file), "416 restarts");
    }
  }

  @Test
  void mistakesAreOneLineAndExitStatusTwo(@TempDir Path dir) throws Exception {
    for (List<String> arguments :
        List.of(
            List.<String>of(),
            List.of("http://a b/"),
            List.of("ftp://a/"),
            List.of("a", "-o"),
            List.of("a", "b"))) {
      Result result = get(dir, arguments.toArray(String[]::new));
      assertEquals(2, result.status, arguments + ": " + result);
      assertEquals(1, result.errors.lines().count(), result.errors);
    }
  }
}
