package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.util.List;

/// The load generator for HTTP/2: one thread of h2load on a dedicated core, with prior knowledge.
/// Its receive windows are 1 GiB, so that the server never waits for credit.
final class H2load {

  private final int core;

  H2load(int core) {
    this.core = core;
  }

  /// Loads a server for some seconds.
  ///
  /// @return what h2load printed
  String run(ServerProcess server, Http2Load load, int seconds)
      throws IOException, InterruptedException {
    return Tools.output(
        List.of(
            "taskset",
            "-c",
            String.valueOf(core),
            "h2load",
            "-t1",
            "-c" + load.connections(),
            "-m" + load.streams(),
            "-D" + seconds,
            server.url(load.path())));
  }
}
