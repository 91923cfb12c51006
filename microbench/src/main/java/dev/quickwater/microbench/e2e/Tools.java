package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static boolean onPath(String name) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }
}
