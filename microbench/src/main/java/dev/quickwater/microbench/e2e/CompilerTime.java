package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// The processor time that the compilers of a JVM use.
///
/// The compilers share the core of a server and work for the first 15 to 30 s of load. A
/// measurement during that time includes them.
final class CompilerTime {

  private CompilerTime() {}

  /// The nanoseconds that the compiler threads of a process have used. The sum decreases when a
  /// compiler thread ends.
  static long nanos(long pid) throws IOException {
    List<Path> threads;
    try (var folder = Files.list(Path.of("/proc/" + pid + "/task"))) {
      threads = folder.toList();
    }
    long sum = 0;
    for (Path thread : threads) {
      try {
        String name = Files.readString(thread.resolve("comm"));
        if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
          String text = Files.readString(thread.resolve("schedstat"));
          sum += Long.parseLong(text.substring(0, text.indexOf(' ')));
        }
      } catch (NoSuchFileException _) {
        // the thread has ended
      }
    }
    return sum;
  }
}
