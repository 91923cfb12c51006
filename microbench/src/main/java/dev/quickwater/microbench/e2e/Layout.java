package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where the repository and its built parts are.
///
/// The launcher says in `qw.home` where the repository is; everything else follows from it, except
/// that the class path of this process is also that of the peers' servers.
public record Layout(Path home) {

  public static Layout find() {
    String home = System.getProperty("qw.home", ".");
    return new Layout(Path.of(home).toAbsolutePath().normalize());
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

  Path bareSource() {
    return home.resolve("microbench/src/main/c/bare.c");
  }
}
