package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The programs that measurements lean on.
final class Tools {

  private static final Map<String, String> PACKAGES =
      Map.of(
          "nginx",
          "nginx-light",
          "wrk",
          "wrk",
          "taskset",
          "util-linux",
          "cc",
          "gcc",
          "h2load",
          "nghttp2-client",
          "nghttpd",
          "nghttp2-server",
          "h2o",
          "h2o",
          "curl",
          "curl",
          "openssl",
          "openssl");

  private Tools() {}

  /// Refuses to start without them, naming the Debian package to install.
  static void require(String... names) {
    for (String name : names) {
      if (!onPath(name)) {
        throw new UsageException(
            name + " is missing, install it: apt-get install " + PACKAGES.get(name));
      }
    }
  }

  /// Runs a program to its end.
  ///
  /// @return what it printed, errors included
  /// @throws IOException if its exit code is not 0; the message has the command and the output
  static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed:\n" + output);
    }
    return output;
  }

  /// A port of the loopback address that nothing uses.
  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static boolean onPath(String name) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }
}
