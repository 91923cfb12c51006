package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where the repository and its built parts are.
///
/// The launcher sets `qw.home` to the repository; everything else follows from it, except that the
/// class path of this process is also that of the peers' servers.
///
/// @param home the repository folder
/// @param earlier the repository folder of another commit that is measured beside this one
public record Layout(Path home, Optional<Path> earlier) {

  public static Layout find() {
    String home = System.getProperty("qw.home", ".");
    return new Layout(Path.of(home).toAbsolutePath().normalize(), Optional.empty());
  }

  /// The `java` that runs this process, so that every server runs on the same one.
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  static String jcmd() {
    return Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
  }

  static String classPath() {
    return System.getProperty("java.class.path");
  }

  /// The jars of `qw` itself.
  Path modules() {
    Path modules = home.resolve("cli/target/modules");
    if (!Files.isDirectory(modules)) {
      throw new UsageException(
          modules + " does not exist: build with ./qw first, or leave out the quickwater variants");
    }
    return modules;
  }

  /// The jars of `qw` as built from another commit.
  Path earlierModules() {
    return earlier
        .map(folder -> folder.resolve("cli/target/modules"))
        .orElseThrow(() -> new UsageException("quickwater-earlier needs --against COMMIT"));
  }

  Path bareSource() {
    return home.resolve("microbench/src/main/c/bare.c");
  }
}
