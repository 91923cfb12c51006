package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The memory of a connection of `qw serve` on epoll after its request is answered, compared with
/// `idle.gate`. Three per cent less also fails, so that the number stays honest.
///
/// The figure is a slope: live heap at [#MANY] connections minus that at [#FEW], divided by the
/// difference of the counts. Live heap is the sum of the class histogram that the server's JVM
/// creates after a full collection; it counts objects, not resident memory. The tables that double
/// in size are equally full at both counts. The server counts the buffers: further connections must
/// hold none.
final class IdleMemoryTest {

  private static final int MAX = 1000;
  private static final int MAX_HTTP2 = 2048;
  private static final double BAND = 0.03;
  private static final int FEW = 400;
  private static final int MANY = 1600;

  private static final String SMALL = "GET /plaintext HTTP/1.1\r\nHost: a\r\n\r\n";

  private static final String SMALL_END = "Hello, World!";

  private static final Pattern TOTAL =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)\\s*$", Pattern.MULTILINE);

  /// What makes the next request of a connection cheap.
  private static final Pattern KEPT =
      Pattern.compile("\\.(KeptHead|HeadAssembler)(\\s|$)", Pattern.MULTILINE);

  /// Objects with which the garbage collector fills gaps.
  private static final Pattern FILLER =
      Pattern.compile(
          "^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\S*jdk\\.internal\\.vm\\.Filler", Pattern.MULTILINE);

  @TempDir private Path dir;

  @Test
  void connectionAfterASmallRequest() throws Exception {
    check("plaintext", SMALL, SMALL_END);
  }

  @Test
  void requestWithALargeHeadLeavesNothing() throws Exception {
    String cookie = "Cookie: " + "x".repeat(7000) + "\r\n\r\n";
    check("largeHead", SMALL.replace("\r\n\r\n", "\r\n" + cookie), SMALL_END);
  }

  @Test
  void chunkedBodyLeavesItsScannerAndItsRate() throws Exception {
    String body = "5\r\nhello\r\n0\r\n\r\n";
    check(
        "chunkedBody",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
        "\r\n0\r\n\r\n");
  }

  @Test
  void fileLeavesNoQueue() throws Exception {
    String end = "the end of the file";
    Files.writeString(dir.resolve("file.txt"), "x".repeat(100_000) + end);
    check("file", "GET /files/file.txt HTTP/1.1\r\nHost: a\r\n\r\n", end);
  }

  /// The connection preface, SETTINGS, the acknowledgement of the server's, and a GET of plain
  /// literals on stream 1.
  private static final String HTTP2 =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
          + "\0\0\0\4\0\0\0\0\0"
          + "\0\0\0\4\1\0\0\0\0"
          + "\0\0\21\1\5\0\0\0\1"
          + "\202\206\4\12/plaintext\1\1a";

  @Test
  void connectionOfHttp2AfterASmallRequest() throws Exception {
    check("http2", HTTP2, SMALL_END, MAX_HTTP2);
  }

  private void check(String name, String request, String end) throws Exception {
    check(name, request, end, MAX);
  }

  private void check(String name, String request, String end, int max) throws Exception {
    double measured = measure(request, end);
    double expected = Double.parseDouble(gate().getProperty(name));
    String figures =
        "%s: %.1f bytes an idle connection, idle.gate has %.1f".formatted(name, measured, expected);
    System.out.println(figures);
    assertTrue(measured <= max, figures);
    assertTrue(Math.abs(measured - expected) <= BAND * expected, figures);
  }

  private static Properties gate() throws IOException {
    Properties gate = new Properties();
    try (InputStream in =
        Objects.requireNonNull(IdleMemoryTest.class.getResourceAsStream("/idle.gate"))) {
      gate.load(in);
    }
    return gate;
  }

  private double measure(String request, String end) throws Exception {
    List<Socket> sockets = new ArrayList<>();
    List<String> flags = List.of(ServeProcess.NATIVE, "-XX:+UseSerialGC", "-Xmx128m");
    try (ServeProcess server =
        ServeProcess.start(
            flags,
            "--port",
            "0",
            "--loops",
            "1",
            "--transport",
            "epoll",
            "--dir",
            dir.toString())) {
      open(server, sockets, FEW, request, end);
      long used = server.figure("usedBytes");
      long few = liveHeap(server);
      open(server, sockets, MANY, request, end);
      ServeProcess.eventually(
          "further connections hold no buffer", () -> server.figure("usedBytes") <= used);
      return (double) (liveHeap(server) - few) / (MANY - FEW);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void open(
      ServeProcess server, List<Socket> sockets, int count, String request, String end)
      throws IOException {
    byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
    while (sockets.size() < count) {
      Socket socket = server.connect();
      sockets.add(socket);
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      assertEquals(end, tail(socket.getInputStream(), end));
    }
  }

  /// Reads until the input ends with `end` or the server closes, and returns the last characters,
  /// at most as many as `end` has.
  private static String tail(InputStream in, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] some = new byte[16 << 10];
    int read;
    while (!text.toString().endsWith(end) && (read = in.read(some)) > 0) {
      text.append(new String(some, 0, read, StandardCharsets.US_ASCII));
    }
    return text.substring(Math.max(0, text.length() - end.length()));
  }

  /// The heap once every connection has released what makes its next request cheap.
  private static long liveHeap(ServeProcess server) throws Exception {
    String histogram = histogram(server);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (KEPT.matcher(histogram).find() && System.nanoTime() < deadline) {
      histogram = histogram(server);
    }
    Matcher total = TOTAL.matcher(histogram);
    assertTrue(total.find(), histogram);
    long live = Long.parseLong(total.group(1));
    Matcher filler = FILLER.matcher(histogram);
    while (filler.find()) {
      live -= Long.parseLong(filler.group(1));
    }
    return live;
  }

  private static String histogram(ServeProcess server) throws Exception {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String histogram = ServeProcess.drain(jcmd.getInputStream());
    assertEquals(0, jcmd.waitFor(), histogram);
    return histogram;
  }
}
