package dev.quickwater.testsuite.peers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// A program of another project that runs beside the test. One that is not installed is a failure
/// with the packages to install.
final class Peer implements AutoCloseable {

  private static final String PACKAGES =
      "install Debian's curl, python3, nginx-light, haproxy, nghttp2-client, nghttp2-server, h2o and"
          + " chromium, and Go and Node.js";
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final int port;

  private Peer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  int port() {
    return port;
  }

  private static Process launch(List<String> command, Path output) throws IOException {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
    } catch (IOException e) {
      throw new AssertionError(command.getFirst() + " cannot be started: " + PACKAGES, e);
    }
  }

  /// Runs a command to its end.
  ///
  /// @return what it printed, without white space around it
  static String run(Path dir, String... command) throws Exception {
    Path output = Files.createTempFile(dir, "run", ".out");
    Process process = launch(List.of(command), output);
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(output, StandardCharsets.UTF_8).strip();
    if (!ended) {
      throw new AssertionError(String.join(" ", command) + " took too long: " + text);
    }
    return text;
  }

  /// Copies a resource to `dir`; the pairs of `changes` are replaced in it.
  static Path resource(Path dir, String name, String... changes) throws IOException {
    String text;
    try (InputStream in =
        Objects.requireNonNull(Peer.class.getResourceAsStream("/peers/" + name), name)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    for (int i = 0; i < changes.length; i += 2) {
      text = text.replace(changes[i], changes[i + 1]);
    }
    return Files.writeString(dir.resolve(name), text);
  }

  /// Builds a Go program of the standard library alone.
  static Path goBuild(Path dir, String name) throws Exception {
    Path program = dir.resolve(name.replace(".go", ""));
    String text = run(dir, "go", "build", "-o", program.toString(), resource(dir, name).toString());
    if (!Files.isExecutable(program)) {
      throw new AssertionError("go build of " + name + " failed: " + text);
    }
    return program;
  }

  /// Starts a server that prints its port.
  static Peer printsPort(Path dir, String... command) throws IOException {
    Path output = Files.createTempFile(dir, "server", ".out");
    Process process = launch(List.of(command), output);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    String text;
    while (!(text = Files.readString(output)).endsWith("\n")) {
      requireRunning(process, deadline, output);
    }
    return new Peer(process, Integer.parseInt(text.lines().findFirst().orElseThrow().strip()));
  }

  /// Starts nghttpd, which serves the folder `files` of `dir`, echoes uploads, and pushes
  /// `/style.css` with `/page`.
  static Peer nghttpd(Path dir) throws IOException {
    int port = freePort();
    String files = dir.resolve("files").toString();
    return listening(
        dir,
        port,
        List.of(
            "nghttpd",
            "--no-tls",
            "--echo-upload",
            "--trailer=x-sum: 42",
            "--push=/page=/style.css",
            "-a",
            "127.0.0.1",
            "-d",
            files,
            "" + port));
  }

  /// Starts h2o with a configuration whose DIR and PORT are replaced.
  static Peer h2o(Path dir, String configuration) throws IOException {
    int port = freePort();
    Path file = resource(dir, configuration, "DIR", dir.toString(), "PORT", "" + port);
    if ("root".equals(System.getProperty("user.name"))) {
      Files.writeString(file, "user: root\n" + Files.readString(file)); // reads the directory
    }
    return listening(dir, port, List.of("h2o", "-c", file.toString()));
  }

  /// Starts nginx with a configuration whose DIR, PORT and APP are replaced.
  static Peer nginx(Path dir, String configuration, int app) throws IOException {
    int port = freePort();
    Path file =
        resource(dir, configuration, "DIR", dir.toString(), "PORT", "" + port, "APP", "" + app);
    List<String> command =
        new ArrayList<>(List.of("nginx", "-p", dir.toString(), "-c", file.toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("-g", "user root;")); // the worker writes to the directory
    }
    return listening(dir, port, command);
  }

  /// Starts HAProxy with a configuration whose PORT and APP are replaced.
  static Peer haproxy(Path dir, String configuration, int app) throws IOException {
    return haproxy(dir, configuration, app, "");
  }

  /// Starts HAProxy with a configuration whose PORT, APP and SEND are replaced.
  ///
  /// @param send options of the server line, for example `send-proxy`
  static Peer haproxy(Path dir, String configuration, int app, String send) throws IOException {
    int port = freePort();
    Path file = resource(dir, configuration, "PORT", "" + port, "APP", "" + app, "SEND", send);
    return listening(dir, port, List.of("haproxy", "-db", "-f", file.toString()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static Peer listening(Path dir, int port, List<String> command) throws IOException {
    Path output = Files.createTempFile(dir, "server", ".out");
    Process process = launch(command, output);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!accepts(port)) {
      requireRunning(process, deadline, output);
    }
    return new Peer(process, port);
  }

  private static boolean accepts(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static void requireRunning(Process process, long deadline, Path output)
      throws IOException {
    if (!process.isAlive() || System.nanoTime() > deadline) {
      process.destroyForcibly();
      throw new AssertionError("a server does not start: " + Files.readString(output));
    }
    Thread.yield();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
