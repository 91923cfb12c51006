package dev.quickwater.microbench.e2e;

import java.io.IOException;

/// Keeps the load of this process away from the core of the server.
final class OwnCore {

  private OwnCore() {}

  /// Runs all threads of this process, and those that they start, on one core.
  static void pin(int core) throws IOException, InterruptedException {
    String pid = String.valueOf(ProcessHandle.current().pid());
    int exit =
        new ProcessBuilder("taskset", "-a", "-p", "-c", String.valueOf(core), pid)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IOException("taskset could not pin this process to core " + core);
    }
  }
}
