package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tools that people measure and attack servers with. One that is missing is a failure: install
/// Debian's curl, wrk, apache2-utils, nghttp2-client and slowhttptest.
@Tag("full")
class ToolsTest {

  private static String run(long seconds, String... command) throws Exception {
    Path output = Files.createTempFile("tool", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      process.destroyForcibly();
      String text = Files.readString(output, java.nio.charset.StandardCharsets.ISO_8859_1);
      assertTrue(ended, String.join(" ", command) + " took too long: " + text);
      assertEquals(0, process.exitValue(), text);
      return text;
    } catch (IOException e) {
      throw new AssertionError(command[0] + " is not installed", e);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), text);
    return Long.parseLong(matcher.group(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void curlSendsAndFetches(String transport, @TempDir Path dir) throws Exception {
    byte[] bytes = new byte[20_000_000];
    new Random(1).nextBytes(bytes);
    Path upload = Files.write(dir.resolve("upload"), bytes);
    Path echo = dir.resolve("echo");
    try (ServeProcess server =
        ServeProcess.start(
            List.of(ServeProcess.NATIVE),
            "--port",
            "0",
            "--transport",
            transport,
            "--dir",
            dir.toString())) {
      String url = "http://127.0.0.1:" + server.port();
      for (String framing : List.of("X-Length: known", "Transfer-Encoding: chunked")) {
        run(
            60,
            "curl",
            "-sf",
            "-H",
            framing,
            "--data-binary",
            "@" + upload,
            "-o",
            echo.toString(),
            url + "/echo");
        assertEquals(-1, Files.mismatch(upload, echo), framing);
      }
      run(60, "curl", "-sf", "-o", echo.toString(), url + "/files/upload");
      assertEquals(-1, Files.mismatch(upload, echo));
      String head = run(10, "curl", "-sfI", url + "/plaintext");
      assertTrue(head.contains("content-length: 13"), head);
      String old = run(10, "curl", "-sf0", url + "/plaintext");
      assertEquals("Hello, World!", old);
      assertEquals("", server.errors());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void loadGeneratorsSeeNoError(String transport) throws Exception {
    try (ServeProcess server = ServeProcess.on(transport)) {
      long used = server.figure("usedBytes");
      int descriptors = server.descriptors();
      String url = "http://127.0.0.1:" + server.port() + "/plaintext";
      String wrk = run(60, "wrk", "-t1", "-c1000", "-d5s", url);
      assertFalse(wrk.contains("Socket errors") || wrk.contains("Non-2xx"), wrk);
      String ab = run(60, "ab", "-k", "-q", "-n", "200000", "-c", "100", url);
      assertEquals(0, number(ab, "Failed requests: +(\\d+)"));
      assertEquals(200_000, number(ab, "Keep-Alive requests: +(\\d+)"));
      String abClosing = run(60, "ab", "-q", "-n", "10000", "-c", "50", url);
      assertEquals(0, number(abClosing, "Failed requests: +(\\d+)"));
      String h2load = run(60, "h2load", "--h1", "-n", "200000", "-c", "50", "-m", "16", url);
      assertEquals(200_000, number(h2load, "status codes: (\\d+) 2xx"), h2load);
      ServeProcess.eventually("one connection", () -> server.figure("connections") == 1);
      ServeProcess.eventually("buffers of before", () -> server.figure("usedBytes") <= used);
      ServeProcess.eventually("descriptors of before", () -> server.descriptors() <= descriptors);
      assertEquals("", server.errors());
    }
  }

  /// Slow heads, slow bodies and slow readers are cut off, and others are served meanwhile.
  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void slowPeersAreClosedWhileOthersAreServed(String transport) throws Exception {
    try (ServeProcess server = ServeProcess.on(transport)) {
      String url = "http://127.0.0.1:" + server.port();
      String common = "-c 1000 -r 500 -l 25 -p 3";
      for (String attack :
          List.of(
              "-H -i 5 -t GET -u " + url + "/plaintext",
              "-B -i 5 -s 8192 -t POST -u " + url + "/echo",
              "-X -n 5 -w 512 -y 1024 -z 32 -k 3 -t GET -u " + url + "/")) {
        String text = run(60, ("slowhttptest " + common + " " + attack).split(" "));
        String plain = text.replaceAll("\u001B\\[[0-9;]*m", "");
        assertFalse(plain.contains("service available:   NO"), plain);
        assertTrue(server.get("/plaintext").endsWith("Hello, World!"));
      }
      ServeProcess.eventually("one connection", () -> server.figure("connections") == 1);
      assertEquals("", server.errors());
    }
  }
}
