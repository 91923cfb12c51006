package dev.quickwater.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs the jcstress tests of a package, in separate JVMs.
public final class Jcstress {

  private static final int MINUTES = 20;

  private Jcstress() {}

  /// Runs all tests whose name begins with `packageName`, some minutes in all, and fails with the
  /// log if one of them does, or if there are none.
  ///
  /// @param directory for the log and the results
  public static void run(String packageName, Path directory)
      throws IOException, InterruptedException {
    Path log = directory.resolve("jcstress.log");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "org.openjdk.jcstress.Main",
            "-t",
            packageName,
            "-m",
            "quick",
            "-jvmArgs",
            "-Xmx512m",
            "-r",
            directory.resolve("results").toString());
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended;
    try {
      ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String text = Files.readString(log);
    if (!ended
        || process.exitValue() != 0
        || !text.contains("Failed tests: No matches.")
        || !text.contains("Error tests: No matches.")
        || text.contains("Results: 0 planned")) {
      throw new AssertionError((ended ? "" : "not done in " + MINUTES + " minutes: ") + text);
    }
  }
}
