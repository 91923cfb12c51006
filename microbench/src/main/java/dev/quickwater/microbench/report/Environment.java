package dev.quickwater.microbench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where figures come from: they mean nothing without it.
public record Environment(String machine, String jdk, String commit) {

  /// Of this process; `home` is the root of the repository.
  public static Environment here(Path home) {
    return new Environment(describeMachine(), describeJdk(), describeCommit(home));
  }

  private static String describeMachine() {
    return processor()
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " cores, "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  private static String processor() {
    Path file = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(file)) {
      return "unknown processor";
    }
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String describeJdk() {
    return System.getProperty("java.vm.name")
        + " "
        + Runtime.version()
        + " ("
        + System.getProperty("java.vendor")
        + ")";
  }

  /// The short hash, with `+` behind it when the work tree differs from it.
  private static String describeCommit(Path home) {
    String hash = git(home, "rev-parse", "--short=12", "HEAD");
    if (hash.isEmpty()) {
      return "unknown";
    }
    return git(home, "status", "--porcelain", "--untracked-files=no").isEmpty() ? hash : hash + "+";
  }

  private static String git(Path home, String... args) {
    String[] command = new String[args.length + 1];
    command[0] = "git";
    System.arraycopy(args, 0, command, 1, args.length);
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      byte[] out = process.getInputStream().readAllBytes();
      return process.waitFor() == 0 ? new String(out, StandardCharsets.UTF_8).strip() : "";
    } catch (IOException _) {
      return "";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
