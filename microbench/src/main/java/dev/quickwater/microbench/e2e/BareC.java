package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Compiles the bare loop in C.
final class BareC {

  private BareC() {}

  /// Returns the program, which is in `folder`.
  static Path compile(Layout layout, Path folder) throws IOException, InterruptedException {
    Path program = folder.resolve("bare-c");
    var _ =
        Tools.output(
            List.of("cc", "-O2", "-o", program.toString(), layout.bareSource().toString()));
    return program;
  }
}
