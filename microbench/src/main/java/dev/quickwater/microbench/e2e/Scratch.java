package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// A temporary folder that goes away with everything in it.
record Scratch(Path folder) implements AutoCloseable {

  static Scratch create() throws IOException {
    return new Scratch(Files.createTempDirectory("qw-bench-"));
  }

  @Override
  public void close() throws IOException {
    List<Path> deepestFirst;
    try (var files = Files.walk(folder)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.delete(file);
    }
  }
}
