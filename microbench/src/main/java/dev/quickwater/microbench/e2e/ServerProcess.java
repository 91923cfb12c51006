package dev.quickwater.microbench.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server in a separate process, from its start to its end.
///
/// It is up when it has printed its line with the address it listens on; a server of another
/// project, when it accepts connections. It never outlives this process.
final class ServerProcess implements AutoCloseable {

  private static final Pattern LISTENING =
      Pattern.compile("listening on [a-z]+://([^:]+):(\\d+).*");
  private static final long START_SECONDS = 30;
  private static final long STOP_SECONDS = 10;
  private static final long CACHE_SECONDS = 120;

  private final Process process;
  private final Path errors;
  private final String line;
  private final InetSocketAddress address;

  private ServerProcess(Process process, Path errors, int port) throws IOException {
    this.process = process;
    this.errors = errors;
    line = "listening on http://127.0.0.1:" + port;
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    awaitListening();
    BufferedReader out = process.inputReader();
    Thread.ofVirtual().start(() -> drain(out));
  }

  private ServerProcess(Process process, Path errors) throws IOException {
    this.process = process;
    this.errors = errors;
    BufferedReader out = process.inputReader();
    this.line = firstLine(out);
    Matcher matcher = LISTENING.matcher(line);
    if (!matcher.matches()) {
      throw failure("printed '" + line + "' where 'listening on http://HOST:PORT' was expected");
    }
    address = new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
    Thread.ofVirtual().start(() -> drain(out));
  }

  /// Starts `command` on any core.
  static ServerProcess start(List<String> command) throws IOException {
    return start(command, ServerProcess::new);
  }

  /// How a process becomes a server that is up.
  private interface Up {
    ServerProcess of(Process process, Path errors) throws IOException;
  }

  private static ServerProcess start(List<String> command, Up up) throws IOException {
    Path errors = Files.createTempFile("qw-bench-", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    try {
      return up.of(process, errors);
    } catch (IOException e) {
      process.destroyForcibly();
      Files.deleteIfExists(errors);
      throw e;
    }
  }

  /// Starts `command` on one core alone.
  static ServerProcess pinned(int core, List<String> command) throws IOException {
    return start(onCore(core, command));
  }

  /// Starts `command` on one core alone. It prints no line; it is up when it accepts connections at
  /// `port` of the loopback address.
  static ServerProcess pinned(int core, List<String> command, int port) throws IOException {
    return start(
        onCore(core, command), (process, errors) -> new ServerProcess(process, errors, port));
  }

  private static List<String> onCore(int core, List<String> command) {
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
    pinned.addAll(command);
    return pinned;
  }

  private void awaitListening() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!accepts()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw failure("does not listen on " + address);
      }
      Thread.onSpinWait();
    }
  }

  private boolean accepts() {
    try (Socket _ = new Socket(address.getAddress(), address.getPort())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  long pid() {
    return process.pid();
  }

  /// What the server said of itself.
  String line() {
    return line;
  }

  InetSocketAddress address() {
    return address;
  }

  String url(String path) {
    return "http://" + address.getHostString() + ":" + address.getPort() + path;
  }

  /// Reads what the server prints, which must never block; ends when the server does.
  private static void drain(BufferedReader out) {
    try {
      while (out.readLine() != null) {}
    } catch (IOException _) {
      // the process was ended from this side, which closes its output
    }
  }

  private String firstLine(BufferedReader out) throws IOException {
    CompletableFuture<String> first = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            String text = out.readLine();
            first.complete(text == null ? "" : text);
          } catch (IOException e) {
            first.completeExceptionally(e);
          }
        });
    try {
      return first.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      throw failure("printed nothing within " + START_SECONDS + " s");
    } catch (ExecutionException e) {
      throw failure("could not be read: " + e.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw failure("was interrupted");
    }
  }

  private IOException failure(String what) throws IOException {
    String command = process.info().commandLine().orElse("the server");
    return new IOException(command + " " + what + "\n" + Files.readString(errors).strip());
  }

  /// Stops the server and waits as long as a training run needs to write its cache.
  void stopPatiently() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(CACHE_SECONDS, TimeUnit.SECONDS)) {
        throw failure("did not stop within " + CACHE_SECONDS + " s");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Stops the server, kills it if it does not stop, and returns when it is gone.
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(errors);
  }
}
