package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Lines of the access log.
final class AccessLogTest {

  private interface Client {
    void use(RunningServer server) throws IOException;
  }

  /// The lines after `client` has used a server that answers with the path.
  private static List<String> lines(AccessLog.Format format, Client client) throws IOException {
    StringWriter out = new StringWriter();
    AccessLog log = AccessLog.to(out, format);
    try (RunningServer server =
        HttpServer.create(x -> x.respond(HttpResponse.text(HttpStatus.CREATED, x.request().path())))
            .filter(log)
            .with(HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "nio")))
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      client.use(server);
    }
    log.close();
    assertEquals(0, log.dropped());
    return out.toString().lines().toList();
  }

  @Test
  void commonFormHasStatusAndBytes() throws Exception {
    List<String> lines =
        lines(
            AccessLog.Format.COMMON,
            server -> {
              Wire.get(server, "/a?b");
              Wire.get(server, "/c");
            });
    assertEquals(2, lines.size());
    assertTrue(
        lines.getFirst().matches("127\\.0\\.0\\.1 - - \\[[^]]+] \"GET /a\\?b HTTP/1\\.1\" 201 2"),
        lines.getFirst());
  }

  @Test
  void combinedFormHasRefererAndAgent() throws Exception {
    List<String> lines =
        lines(
            AccessLog.Format.COMBINED,
            server -> Wire.get(server, "/", "Referer: http://x/", "User-Agent: a b"));
    assertTrue(lines.getFirst().endsWith(" \"http://x/\" \"a b\""), lines.getFirst());
  }

  /// Neither form can be forged by quotes, backslashes or bytes beyond ASCII.
  @Test
  void textOfThePeerIsEscaped() throws Exception {
    String agent = "User-Agent: \" 200 1\\ \u00e4";
    for (AccessLog.Format format : AccessLog.Format.values()) {
      List<String> lines = lines(format, server -> Wire.get(server, "/", agent));
      assertEquals(1, lines.size());
      String line = lines.getFirst();
      assertFalse(line.contains("\u00e4"), line);
      assertTrue(format == AccessLog.Format.COMMON || line.contains("\\\" 200 1\\\\ \\"), line);
    }
  }

  @Test
  void jsonHasOutcomeAndTime() throws Exception {
    String line = lines(AccessLog.Format.JSON, server -> Wire.get(server, "/abc")).getFirst();
    assertTrue(
        line.matches(
            "\\{\"time\":\"[^\"]+Z\",\"peer\":\"127\\.0\\.0\\.1\",\"method\":\"GET\","
                + "\"target\":\"/abc\",\"version\":\"HTTP/1\\.1\",\"status\":201,"
                + "\"received\":0,\"sent\":4,\"outcome\":\"completed\",\"micros\":\\d+}"),
        line);
  }

  @Test
  void writerThatFailsEndsTheLogAndNothingElse() throws Exception {
    Writer broken =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("the disk is full");
          }

          @Override
          public void flush() {
            // nothing is held
          }

          @Override
          public void close() {
            // nothing is held
          }
        };
    AccessLog log = AccessLog.to(broken, AccessLog.Format.COMMON);
    try (RunningServer server =
        HttpServer.create(x -> x.respond(HttpResponse.text("x")))
            .filter(log)
            .with(HttpServerSettings.DEFAULT.withLoops(new LoopSettings(1, "nio")))
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      Baseline.await(
          "lines are dropped",
          () -> {
            try {
              assertEquals("x", Wire.get(server, "/").text());
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
            return log.dropped() > 0;
          });
    }
    log.close();
  }
}
