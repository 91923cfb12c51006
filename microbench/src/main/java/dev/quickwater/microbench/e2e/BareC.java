package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Compiles the bare loop in C.
final class BareC {

  private BareC() {}

  /// Returns the program, which is in `folder`.
  static Path compile(Layout layout, Path folder) throws IOException, InterruptedException {
    Path program = folder.resolve("bare-c");
    Process process =
        new ProcessBuilder("cc", "-O2", "-o", program.toString(), layout.bareSource().toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("cc failed:\n" + output);
    }
    return program;
  }
}
