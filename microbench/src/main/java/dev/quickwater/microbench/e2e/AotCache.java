package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Makes a JDK 25 ahead-of-time cache from a training run that serves a few requests.
final class AotCache {

  private static final int TRAINING_REQUESTS = 50;

  private AotCache() {}

  /// Returns the flags that use the cache, which is in `folder`.
  static List<String> train(Variant variant, Layout layout, Path folder) throws IOException {
    Path cache = folder.resolve(variant.label() + ".aot");
    List<String> command =
        variant.command(
            layout, folder, List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot=off,cds=off"));
    try (ServerProcess server = ServerProcess.start(command)) {
      for (int i = 0; i < TRAINING_REQUESTS; i++) {
        PlainCheck.verify(server.address());
      }
      server.stopPatiently();
    }
    if (!Files.exists(cache)) {
      throw new IOException("the training run of " + variant.label() + " left no AOT cache");
    }
    return List.of("-XX:AOTCache=" + cache);
  }
}
