package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients of other projects in front of our server, over HTTP/2 with prior knowledge: bodies of 10
/// MB that are read, echoed and refused, trailers, cancellation, and more requests at once than the
/// server has streams.
@Tag("full")
final class Http2ClientsTest {

  private static final int LENGTH = 10 << 20;
  private static final int PIECE = 16 << 10;

  @TempDir private Path dir;

  private final BlockingQueue<Outcome> endless = new LinkedBlockingQueue<>();

  private final RunningServer server =
      HttpServer.create(
              new Routes()
                  .get("/plaintext", x -> x.respond(HttpResponse.text("Hello, World!")))
                  .post(
                      "/echo",
                      x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))))
                  .post(
                      "/length",
                      x ->
                          x.respond(
                              x.readAll(LENGTH)
                                  .map(body -> HttpResponse.text("x".repeat(body.length / 1024)))))
                  .post(
                      "/forbidden",
                      x -> x.respond(HttpResponse.text(HttpStatus.FORBIDDEN, "not allowed")))
                  .get("/endless", this::produce))
          .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  private final String url = "http://127.0.0.1:" + server.port();

  private void produce(HttpExchange x) {
    x.onEnd(endless::add);
    produce(x, x.respond(ResponseHead.of(HttpStatus.OK, HttpHeaders.EMPTY)));
  }

  private static void produce(HttpExchange x, OutgoingBody body) {
    while (body.isWritable()) {
      body.write(x.loop().allocator().allocate(PIECE).writeBytes(new byte[PIECE]));
    }
    body.onWritable(() -> produce(x, body));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Path upload() throws Exception {
    return Files.writeString(dir.resolve("upload"), "x".repeat(LENGTH));
  }

  private void assertCancelled() throws Exception {
    Outcome outcome = endless.poll(10, TimeUnit.SECONDS);
    assertTrue(outcome != null && outcome.kind() == Outcome.Kind.PEER_RESET, "" + outcome);
    assertEquals(dev.quickwater.http.ResetCode.CANCEL, outcome.code());
  }

  private String curl(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>();
    command.addAll(
        List.of(
            "curl",
            "-sS",
            "--http2-prior-knowledge",
            "-o",
            dir + "/out",
            "-w",
            "%{http_version} %{http_code} %{size_download}"));
    command.addAll(List.of(arguments));
    return Peer.run(dir, command.toArray(String[]::new));
  }

  @Test
  void curlIsAnswered() throws Exception {
    String data = "@" + upload();
    assertEquals("2 200 13", curl(url + "/plaintext"));
    assertEquals("2 200 0", curl("--head", url + "/plaintext"));
    assertEquals("2 404 0", curl(url + "/none").replaceAll("404 \\d+", "404 0"));
    assertEquals("2 200 " + LENGTH, curl("--data-binary", data, url + "/echo"));
    assertEquals(-1, Files.mismatch(dir.resolve("upload"), dir.resolve("out")));
    assertEquals("2 200 10240", curl("--data-binary", data, url + "/length"));
    assertEquals(
        "2 200 10240", curl("--data-binary", data, "-H", "Expect: 100-continue", url + "/length"));
    assertEquals("2 403 11", curl("--data-binary", data, url + "/forbidden"));
    assertEquals(
        "2 403 11", curl("--data-binary", data, "-H", "Expect: 100-continue", url + "/forbidden"));
    assertEquals(
        "2 413 ",
        curl("--data-binary", data, "--data-binary", data, url + "/length")
            .replaceAll("\\d+$", ""));
    assertEquals("1.1 200 13", curl("--http1.1", url + "/plaintext"));
  }

  @Test
  void nghttpIsAnswered() throws Exception {
    String upload = upload().toString();
    assertEquals("Hello, World!", Peer.run(dir, "nghttp", url + "/plaintext"));
    assertEquals(LENGTH, Peer.run(dir, "nghttp", "-d", upload, url + "/echo").length());
    assertEquals(
        LENGTH,
        Peer.run(dir, "nghttp", "-d", upload, "-b", "200", "-w", "10", "-W", "12", url + "/echo")
            .length());
    String verbose =
        Peer.run(dir, "nghttp", "-nv", "-d", upload, "--trailer=x-sum: 42", url + "/echo");
    assertTrue(verbose.contains("recv (stream_id=13) x-sum: 42"), verbose);
    String continued =
        Peer.run(dir, "nghttp", "-nv", "--expect-continue", "-d", upload, url + "/length");
    assertTrue(continued.contains(":status: 100"), continued);
    assertTrue(continued.contains(":status: 200"), continued);
    String many = Peer.run(dir, "nghttp", "-ns", "-m", "500", url + "/plaintext");
    assertEquals(500, Pattern.compile(" 200 +13 /plaintext").matcher(many).results().count(), many);
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), text);
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void h2loadSeesNoError() throws Exception {
    Path small = Files.writeString(dir.resolve("small"), "x".repeat(100_000));
    List<List<String>> runs =
        List.of(
            List.of("-n200000", "-c50", "-m32", url + "/plaintext"),
            List.of("-n100000", "-c1", "-m100", url + "/plaintext"),
            List.of("-n20000", "-c20", "-m1", "-w16", "-W16", url + "/plaintext"),
            List.of("-n2000", "-c10", "-m10", "-d", small.toString(), url + "/echo"),
            List.of(
                "-n2000", "-c10", "-m10", "-w16", "-W16", "-d", small.toString(), url + "/echo"));
    for (List<String> run : runs) {
      List<String> command = new java.util.ArrayList<>(List.of("h2load", "-t1"));
      command.addAll(run);
      String text = Peer.run(dir, command.toArray(String[]::new));
      long requests = number(run.getFirst(), "-n(\\d+)");
      assertEquals(requests, number(text, "status codes: (\\d+) 2xx"), text);
      assertEquals(0, number(text, "(\\d+) failed"), text);
    }
  }

  private static final String GO =
      """
      get HTTP/2.0 200 13
      echo HTTP/2.0 200 10485760
      length HTTP/2.0 200 10240
      forbidden HTTP/2.0 403 11
      head HTTP/2.0 200 0
      trailers HTTP/2.0 200 1000 42
      cancel context canceled
      parallel 1000\
      """;

  @Test
  void goClientIsAnswered() throws Exception {
    assertEquals(GO, Peer.run(dir, Peer.goBuild(dir, "h2client.go").toString(), url));
    assertCancelled();
  }

  private static final String NODE =
      """
      get 200 13
      head 200 0
      echo 200 10485760
      length 200 10240
      forbidden 403 11
      trailers 200 1000 42
      expect 200 10240 continued
      cancel 200 cancelled
      parallel 1000\
      """;

  @Test
  void nodeClientIsAnswered() throws Exception {
    assertEquals(NODE, Peer.run(dir, "node", Peer.resource(dir, "h2client.js").toString(), url));
    assertCancelled();
  }
}
