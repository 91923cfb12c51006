package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// One request by curl before any measurement: a server that answers something else is not
/// measured.
final class Http2Check {

  private static final List<String> FIELDS =
      List.of("content-type: text/plain", "server: quickwater", "date: ");

  private Http2Check() {}

  /// Requires HTTP/2, a status of 200 and the bytes of the body; from the servers on a JVM also the
  /// same fields, by which their frames have the same content.
  static void verify(ServerProcess server, Http2Load load, boolean fields, Path folder)
      throws IOException, InterruptedException {
    Path body = folder.resolve("checked");
    Process process =
        new ProcessBuilder(
                List.of(
                    "curl",
                    "-sS",
                    "--max-time",
                    "10",
                    "--http2-prior-knowledge",
                    "-D",
                    "-",
                    "-o",
                    body.toString(),
                    server.url(load.path())))
            .redirectErrorStream(true)
            .start();
    String head = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    boolean right = process.waitFor() == 0 && head.startsWith("HTTP/2 200");
    String lower = head.toLowerCase(Locale.ROOT);
    right &= lower.contains("\r\ncontent-length: " + load.body().length + "\r\n");
    for (String field : FIELDS) {
      right &= !fields || lower.contains("\r\n" + field);
    }
    if (!right) {
      throw new IOException("the server answered " + load.path() + " with '" + head.strip() + "'");
    }
    if (!Arrays.equals(load.body(), Files.readAllBytes(body))) {
      throw new IOException("the server answered " + load.path() + " with another body");
    }
  }
}
