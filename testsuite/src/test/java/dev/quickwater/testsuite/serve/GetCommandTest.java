package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
    return HttpServer.create(routes)
        .with(HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "nio")))
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
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
    }
  }

  @Test
  void mistakesAreOneLineAndExitStatusTwo(@TempDir Path dir) throws Exception {
    for (List<String> arguments :
        List.of(
            List.<String>of(),
            List.of("http://a b/"),
            List.of("https://a/"),
            List.of("a", "-o"),
            List.of("a", "b"))) {
      Result result = get(dir, arguments.toArray(String[]::new));
      assertEquals(2, result.status, arguments + ": " + result);
      assertEquals(1, result.errors.lines().count(), result.errors);
    }
  }
}
