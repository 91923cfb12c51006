package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Builds `qw` from an earlier commit, so that both are measured in one run.
///
/// The sources come from `git archive` and stay in a temporary folder: the repository and its build
/// are not touched.
final class EarlierBuild {

  private EarlierBuild() {}

  /// Builds `commit` in `folder`.
  ///
  /// @return the repository folder of the build
  static Path of(Layout layout, String commit, Path folder)
      throws IOException, InterruptedException {
    Path home = Files.createDirectory(folder.resolve("earlier"));
    Path archive = folder.resolve("earlier.tar");
    Path log = folder.resolve("earlier.log");
    run(layout.home(), log, "git", "archive", "--format=tar", "-o", archive.toString(), commit);
    run(home, log, "tar", "-xf", archive.toString());
    run(home, log, "./qw", "help");
    return home;
  }

  private static void run(Path folder, Path log, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    if (builder.start().waitFor() != 0) {
      throw new UsageException(
          "--against failed at " + String.join(" ", List.of(command)) + ":\n" + tail(log));
    }
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }
}
