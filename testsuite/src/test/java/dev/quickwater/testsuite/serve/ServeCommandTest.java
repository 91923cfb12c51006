package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.examples.SecondVersion;
import dev.quickwater.web.HttpClient;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {

  private static void assertRefused(String expected, String... options) throws Exception {
    Process process =
        ServeProcess.command(List.of(ServeProcess.NATIVE), options)
            .redirectErrorStream(true)
            .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), "still running");
    String text = ServeProcess.drain(process.getInputStream());
    assertEquals(2, process.exitValue(), text);
    assertEquals(1, text.lines().count(), text);
    assertTrue(text.contains(expected), text);
  }

  @Test
  void mistakesAreOneLineAndExitStatusTwo(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "no directory");
    assertRefused("unknown option --prot", "--prot", "1");
    assertRefused("--port is 70000", "--port", "70000");
    assertRefused("option --port has no value", "--port");
    assertRefused("--transport is iocp", "--transport", "iocp");
    assertRefused("--listing is -1", "--listing=-1");
    assertRefused("--cache-control is no field value", "--cache-control", "a\nb");
    String missing = dir.resolve("missing/log").toString();
    assertRefused("--trace-http2 is " + missing, "--trace-http2", missing);
    assertRefused("--proxy-protocol is 10.0.0.0/8,", "--proxy-protocol", "10.0.0.0/8,");
    assertRefused("--proxy-protocol is 10.0.0.0/33", "--proxy-protocol", "10.0.0.0/33");
    assertRefused("does not exist", "--dir", dir.resolve("missing").toString());
    assertRefused("cannot be read as a directory", "--dir", file.toString());
  }

  @Test
  void clientBehindAProxyIsLogged(@TempDir Path dir) throws Exception {
    Path log = dir.resolve("log");
    String request = "GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
    try (ServeProcess server =
        ServeProcess.start(
            List.of(ServeProcess.NATIVE),
            "--port",
            "0",
            "--loops",
            "1",
            "--access-log",
            log.toString(),
            "--proxy-protocol",
            "10.0.0.0/8,127.0.0.1")) {
      String header = "PROXY TCP4 192.0.2.1 192.0.2.2 5000 80\r\n";
      String response = server.exchange(header + request);
      assertTrue(response.startsWith("HTTP/1.1 "), response);
      assertEquals("", server.exchange("hello"));
      assertEquals(0, server.terminate());
    }
    List<String> lines = Files.readAllLines(log);
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.getFirst().startsWith("192.0.2.1 "), lines::toString);
  }

  @Test
  void occupiedPortIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertRefused(port, "--port", port, "--transport", "epoll");
      assertRefused(port, "--port", port, "--transport", "nio");
    }
  }

  @Test
  void terminationFinishesWhatIsRunningAndExitsWithZero() throws Exception {
    for (String transport : List.of("epoll", "nio")) {
      try (ServeProcess server = ServeProcess.on(transport);
          Socket idle = server.connect();
          Socket busy = server.connect()) {
        busy.getOutputStream()
            .write(
                "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n12345"
                    .getBytes(StandardCharsets.US_ASCII));
        byte[] head = new byte[64];
        assertTrue(busy.getInputStream().read(head) > 0);
        ProcessHandle.of(server.pid()).orElseThrow().destroy();
        assertEquals(-1, idle.getInputStream().read(), "an idle connection is closed");
        busy.getOutputStream().write("67890".getBytes(StandardCharsets.US_ASCII));
        String rest = ServeProcess.drain(busy.getInputStream());
        assertTrue(rest.endsWith("0\r\n\r\n"), rest);
        assertEquals(0, server.await());
      }
    }
  }

  @Test
  void framesOfHttp2AreTracedUntilTheLastConnectionCloses(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("trace");
    try (ServeProcess server =
            ServeProcess.start(
                List.of(ServeProcess.NATIVE), "--port", "0", "--trace-http2", file.toString());
        HttpClient client = SecondVersion.client()) {
      String uri = "http://127.0.0.1:" + server.port() + "/plaintext";
      assertEquals("Hello, World!", client.blocking().get(uri).text());
      assertEquals(0, server.terminate());
    }
    String trace = Files.readString(file);
    assertTrue(trace.contains("field=\":path: /plaintext\""), trace);
    assertTrue(trace.contains("data=\"Hello, World!\""), trace);
    assertTrue(trace.endsWith("CLOSE\n"), trace);
  }

  /// A signal while one request is not complete; then a second one.
  @Test
  void secondSignalEndsADrainAtOnce() throws Exception {
    for (String signal : List.of("TERM", "INT")) {
      try (ServeProcess server = ServeProcess.on("nio");
          Socket busy = server.connect()) {
        busy.getOutputStream()
            .write(
                "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n12345"
                    .getBytes(StandardCharsets.US_ASCII));
        assertTrue(busy.getInputStream().read() > 0);
        ProcessHandle.of(server.pid()).orElseThrow().destroy();
        assertEquals("draining, 1 connections; a second signal ends at once", server.line());
        long began = System.nanoTime();
        Process kill =
            new ProcessBuilder("kill", "-" + signal, Long.toString(server.pid())).start();
        assertEquals(0, kill.waitFor());
        int status = server.await();
        assertEquals(signal.equals("TERM") ? 143 : 130, status);
        assertTrue(System.nanoTime() - began < 10_000_000_000L, "it waited for the drain");
      }
    }
  }

  @Test
  void libraryWithoutFlagsIsSilentAndWorksOnNio() throws Exception {
    for (List<String> flags : List.of(List.<String>of(), List.of("--illegal-native-access=deny"))) {
      try (ServeProcess server = ServeProcess.start(flags, "--port", "0")) {
        assertEquals("nio", server.transport());
        assertTrue(server.get("/plaintext").endsWith("Hello, World!"));
        assertEquals(0, server.terminate());
        assertEquals("", server.errors());
      }
    }
  }

  /// The policy names the hashes of the only script and style, and nothing is loaded from
  /// elsewhere.
  private static void assertPageIsClosed(String page) throws Exception {
    assertTrue(page.contains("<h1>Quickwater</h1>"), page);
    assertFalse(page.contains("http://") || page.contains("https://"), "another resource");
    String policy = page.substring(0, page.indexOf("\r\n\r\n"));
    String body = page.substring(page.indexOf("\r\n\r\n") + 4);
    for (String element : List.of("script", "style")) {
      String[] parts = body.split("</?" + element + ">", -1);
      assertEquals(3, parts.length, element);
      byte[] text = parts[1].getBytes(StandardCharsets.ISO_8859_1); // as the bytes were read
      String hash =
          Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(text));
      assertTrue(policy.contains(element + "-src 'sha256-" + hash + "'"), policy);
    }
    assertTrue(policy.contains("default-src 'none'"), policy);
  }

  @Test
  void pageAndFilesAreServed(@TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("a.txt"), "content of a");
    for (String transport : List.of("epoll", "nio")) {
      try (ServeProcess server =
          ServeProcess.start(
              List.of(ServeProcess.NATIVE),
              "--port",
              "0",
              "--transport",
              transport,
              "--dir",
              dir.toString(),
              "--listing=10",
              "--cache-control=no-cache")) {
        String file = server.get("/files/a.txt");
        assertTrue(file.endsWith("content of a"), file);
        assertTrue(file.contains("cache-control: no-cache"), file);
        assertTrue(server.get("/files/").contains("href=\"./a.txt\""));
        assertTrue(server.get("/files/../a.txt").startsWith("HTTP/1.1 404"));
        assertPageIsClosed(server.get("/"));
        assertTrue(server.get("/json").endsWith("{\"message\":\"Hello, World!\"}"));
        String stats = server.get("/stats");
        assertFalse(stats.contains("\"loops\":[]"));
        assertTrue(stats.contains("\"uptimeMillis\":"), stats);
        assertEquals(0, server.figure("aborted"));
        assertTrue(server.figure("sent") > 0);
        assertEquals(0, server.figure("active"));
      }
    }
  }
}
