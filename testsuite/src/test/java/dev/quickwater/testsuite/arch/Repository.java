package dev.quickwater.testsuite.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The files of the repository that these tests read.
final class Repository {

  /// Maven runs tests in their module's folder.
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static final List<String> SOURCES =
      List.of("core", "io", "security", "protocols", "cli", "examples", "microbench");

  private Repository() {}

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Java sources that are no tests, and the guide.
  static List<Path> mainSources() {
    return SOURCES.stream()
        .flatMap(module -> files(ROOT.resolve(module)))
        .filter(file -> ("" + file).contains("/src/main/"))
        .filter(file -> ("" + file).endsWith(".java") || ("" + file).endsWith(".md"))
        .toList();
  }

  /// Pages in the root and in docs.
  static List<Path> pages() {
    try (Stream<Path> root = Files.list(ROOT)) {
      return Stream.concat(root, files(ROOT.resolve("docs")))
          .filter(file -> ("" + file).endsWith(".md"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
