package dev.quickwater.testsuite.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `qw serve` of its own process, on the class path of this test.
final class ServeProcess implements AutoCloseable {

  static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  private static final Pattern LISTENING =
      Pattern.compile("listening on http://[^ ]+:(\\d+) transport=(\\w+) loops=(\\d+)");

  private final Process process;
  private final Path errors;
  private final Matcher line;
  private final BufferedReader out;

  private ServeProcess(Process process, BufferedReader out, Path errors, Matcher line) {
    this.process = process;
    this.out = out;
    this.errors = errors;
    this.line = line;
  }

  /// Starts java with `flags`, the command with `options`, and waits until it listens.
  static ServeProcess start(List<String> flags, String... options) throws IOException {
    Path errors = Files.createTempFile("serve", ".err");
    Process process = command(flags, options).redirectError(errors.toFile()).start();
    BufferedReader out = process.inputReader();
    String first = out.readLine();
    Matcher line = LISTENING.matcher(String.valueOf(first));
    if (!line.matches()) {
      process.destroyForcibly();
      throw new AssertionError("printed " + first + ", errors: " + Files.readString(errors));
    }
    return new ServeProcess(process, out, errors, line);
  }

  /// A server on a free port with one loop on `transport`.
  static ServeProcess on(String transport) throws IOException {
    return start(List.of(NATIVE), "--port", "0", "--loops", "1", "--transport", transport);
  }

  static ProcessBuilder command(List<String> flags, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "dev.quickwater.cli.Main", "serve"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command);
  }

  int port() {
    return Integer.parseInt(line.group(1));
  }

  String transport() {
    return line.group(2);
  }

  long pid() {
    return process.pid();
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /// Sends text, reads until the server closes.
  String exchange(String request) throws IOException {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  String get(String path) throws IOException {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  }

  /// A figure of `/stats`.
  long figure(String name) throws IOException {
    Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(get("/stats"));
    if (!matcher.find()) {
      throw new AssertionError("no figure " + name);
    }
    return Long.parseLong(matcher.group(1));
  }

  int descriptors() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid()), "fd"))) {
      for (Path _ : entries) {
        count++;
      }
    }
    return count;
  }

  /// Waits until `condition` holds, asking the server again and again; fails after 30 s.
  static void eventually(String what, Condition condition) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within 30 s: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /// Something that becomes true.
  interface Condition {
    boolean holds() throws IOException;
  }

  /// The next line that it prints.
  String line() throws IOException {
    return String.valueOf(out.readLine());
  }

  /// Ends it by SIGTERM and returns its exit status.
  int terminate() throws InterruptedException {
    process.destroy();
    return await();
  }

  /// Waits until it has ended and returns its exit status.
  int await() throws InterruptedException {
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      throw new AssertionError("the server did not end within 40 s");
    }
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException, IOException {
    process.destroyForcibly().waitFor();
    Files.deleteIfExists(errors);
  }

  static String drain(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }
}
