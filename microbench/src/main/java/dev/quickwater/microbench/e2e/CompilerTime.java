package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// The processor time that the compilers of a JVM use.
///
/// They share the core of a server, and work for 10 to 40 s of load. A measurement during that time
/// counts the compilers and not the server.
final class CompilerTime {

  private CompilerTime() {}

  /// The nanoseconds that the compiler threads of a process have used. Less than before if a thread
  /// has ended.
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
