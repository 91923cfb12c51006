package dev.quickwater.testsuite.transport;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Another JVM with the class path of this one and with other options or limits. Folders of the
/// class path are packed into a jar, as in applications.
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader out;
  private final CompletableFuture<String> errors;

  /// @param prefix a shell command that the JVM replaces, empty for none: `ulimit -n 64`
  ChildJvm(String prefix, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> java = new ArrayList<>();
    java.add(System.getProperty("java.home") + "/bin/java");
    java.add("-Xmx128m");
    java.addAll(options);
    java.add("-cp");
    java.add(ClassPath.OF_JARS);
    java.add(main.getName());
    java.addAll(List.of(arguments));
    if (!prefix.isEmpty()) {
      java.addAll(0, List.of("bash", "-c", prefix + "; exec \"$@\"", "child"));
    }
    ProcessBuilder builder = new ProcessBuilder(java);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    process = builder.start();
    out = process.inputReader();
    errors =
        CompletableFuture.supplyAsync(() -> {
          try {
            return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /// A jar stays open; from a folder, a process that is out of descriptors loads no class.
  private static final class ClassPath {
    static final String OF_JARS = pack();

    private static String pack() {
      List<String> entries = new ArrayList<>();
      try {
        for (String entry : classPath().split(File.pathSeparator)) {
          Path path = Path.of(entry);
          entries.add(Files.isDirectory(path) ? jar(path).toString() : entry);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return String.join(File.pathSeparator, entries);
    }

    /// Surefire's own class path is one jar that names the others.
    private static String classPath() {
      String plain = System.getProperty("java.class.path");
      return System.getProperty("surefire.test.class.path", plain);
    }

    private static Path jar(Path folder) throws IOException {
      Path jar = Files.createTempFile("quickwater-test", ".jar");
      jar.toFile().deleteOnExit();
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
          Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          zip.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
          Files.copy(file, zip);
        }
      }
      return jar;
    }
  }

  /// The next line of its output.
  String line() throws Exception {
    String line = out.readLine();
    if (line == null) {
      throw new AssertionError("it ended early: " + errors.get(10, TimeUnit.SECONDS));
    }
    return line;
  }

  String ask(String question) throws Exception {
    process.outputWriter().write(question + "\n");
    process.outputWriter().flush();
    return line();
  }

  /// Ends its input, waits for its end, and returns what it wrote to standard error.
  String end() throws Exception {
    process.outputWriter().close();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end");
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(
          "exit code " + process.exitValue() + ": " + errors.get(10, TimeUnit.SECONDS));
    }
    return errors.get(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
