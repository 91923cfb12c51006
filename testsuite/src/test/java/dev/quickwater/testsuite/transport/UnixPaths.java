package dev.quickwater.testsuite.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/// Paths for Unix sockets, short enough for their addresses; deleted when the JVM ends.
final class UnixPaths {

  private static final Path FOLDER = folder();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private UnixPaths() {}

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("quickwater");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static UnixDomainSocketAddress free() {
    Path path = FOLDER.resolve("socket-" + NUMBER.incrementAndGet());
    path.toFile().deleteOnExit();
    return UnixDomainSocketAddress.of(path);
  }
}
