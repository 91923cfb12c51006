package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of other projects in front of our server, directly and through nginx and HAProxy: bodies
/// of 10 MB that are read, that are refused, and that wait for 100 (Continue). Bodies are echoed
/// while they arrive where client and proxy read and write at once: nginx 1.22 stops to read its
/// client when it receives the response.
@Tag("full")
final class RealClientsTest {

  private static final int LENGTH = 10 << 20;

  private static final Routes ROUTES =
      new Routes()
          .get("/plaintext", x -> x.respond(HttpResponse.text("Hello, World!")))
          .post("/echo", x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))))
          .post(
              "/length",
              x ->
                  x.respond(
                      x.readAll(LENGTH)
                          .map(body -> HttpResponse.text("x".repeat(body.length / 1024)))))
          .post(
              "/forbidden", x -> x.respond(HttpResponse.text(HttpStatus.FORBIDDEN, "not allowed")));

  /// A client: its command without URL, method and `expect`. One that is blocking reads nothing
  /// before it has written everything, so a server that echoes as it reads can only stall.
  private record Client(String name, boolean expects, boolean blocking, List<String> command) {}

  private static List<Client> clients(Path dir) throws Exception {
    Path node = Peer.resource(dir, "client.js");
    return List.of(
        new Client("curl", true, false, List.of()),
        new Client("go", true, false, List.of(Peer.goBuild(dir, "client.go").toString())),
        new Client("node http", true, false, List.of("node", node.toString(), "http")),
        new Client("node undici", false, false, List.of("node", node.toString(), "fetch")),
        new Client(
            "python", false, true, List.of("python3", Peer.resource(dir, "client.py").toString())));
  }

  private static String ask(Path dir, Client client, String url, String method, boolean expect)
      throws Exception {
    List<String> command = new ArrayList<>(client.command());
    if (client.name().equals("curl")) {
      command.addAll(
          List.of("curl", "-sS", "-o", dir + "/out", "-w", "%{http_code} %{size_download}"));
      if (method.equals("POST")) {
        command.addAll(List.of("--data-binary", "@" + dir + "/upload"));
        command.addAll(List.of("-H", expect ? "Expect: 100-continue" : "Expect:"));
      }
      command.add(url);
    } else {
      command.addAll(List.of(url, method));
      if (expect) {
        command.add("expect");
      }
    }
    return Peer.run(dir, command.toArray(String[]::new));
  }

  private static @Nullable Peer front(String name, Path dir, int app) throws Exception {
    return switch (name) {
      case "nginx" -> Peer.nginx(dir, "nginx-front.conf", app);
      case "haproxy" -> Peer.haproxy(dir, "haproxy-front.cfg", app);
      default -> null;
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "nginx", "haproxy"})
  void everyClientIsAnswered(String way, @TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("upload"), "x".repeat(LENGTH));
    List<String> wrong = new ArrayList<>();
    try (RunningServer server =
            HttpServer.create(ROUTES)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Peer front = front(way, dir, server.port())) {
      String url = "http://127.0.0.1:" + (front == null ? server.port() : front.port());
      for (Client client : clients(dir)) {
        String name = way + ", " + client.name() + ", ";
        check(wrong, name + "GET", "200 13", ask(dir, client, url + "/plaintext", "GET", false));
        check(wrong, name + "read", "200 10240", ask(dir, client, url + "/length", "POST", false));
        boolean duplex = !client.blocking() && !way.equals("nginx");
        if (duplex) {
          check(
              wrong,
              name + "echo",
              "200 " + LENGTH,
              ask(dir, client, url + "/echo", "POST", false));
        }
        check(wrong, name + "405", "405 ", ask(dir, client, url + "/plaintext", "POST", false));
        check(wrong, name + "403", "403 11", ask(dir, client, url + "/forbidden", "POST", false));
        if (client.expects()) {
          check(
              wrong,
              name + "read, Expect",
              "200 10240",
              ask(dir, client, url + "/length", "POST", true));
          check(
              wrong,
              name + "403, Expect",
              "403 11",
              ask(dir, client, url + "/forbidden", "POST", true));
        }
      }
    }
    Path log = dir.resolve("error.log");
    assertEquals(List.of(), wrong, Files.exists(log) ? Files.readString(log) : "");
  }

  private static void check(List<String> wrong, String what, String expected, String got) {
    System.out.println(what + ": " + got);
    if (!got.startsWith(expected)) {
      wrong.add(what + ": " + got + ", expected " + expected);
    }
  }
}
