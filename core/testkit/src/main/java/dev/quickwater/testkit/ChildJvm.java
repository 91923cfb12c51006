package dev.quickwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs a main class of the tests in a separate JVM, with flags that cannot be changed in this one.
public record ChildJvm(int exit, String out, String err) {

  /// A guard against children that hang; a busy machine may need a minute for the longest of them.
  private static final int LIMIT_SECONDS = 240;

  /// Runs `main` with these flags to its end.
  public static ChildJvm run(Class<?> main, String... flags)
      throws IOException, InterruptedException {
    return run(Map.of(), main, flags);
  }

  /// Like [#run(Class, String...)], with further variables in the environment: `LC_ALL`.
  public static ChildJvm run(Map<String, String> environment, Class<?> main, String... flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Path out = Files.createTempFile("child", ".out");
    Path err = Files.createTempFile("child", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the child JVM did not end: " + command);
      }
      return new ChildJvm(process.exitValue(), read(out), read(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
