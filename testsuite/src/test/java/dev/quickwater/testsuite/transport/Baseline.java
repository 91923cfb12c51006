package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// The open descriptors and the live bytes of the shared allocator before a test, to compare with
/// those after the test.
///
/// Counts sockets, pipes, epoll instances, eventfds and files of the temporary folder. Other
/// descriptors are ignored: the JVM opens jars and devices at any time.
record Baseline(long descriptors, long sharedBytes) {

  static Baseline now() {
    return new Baseline(openDescriptors(), ByteBufAllocator.shared().metrics().used());
  }

  static long openDescriptors() {
    String temporary = System.getProperty("java.io.tmpdir");
    long count = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path entry : entries) {
        String target;
        try {
          target = Files.readSymbolicLink(entry).toString();
        } catch (IOException _) {
          continue; // closed meanwhile: the folder's own descriptor, for one
        }
        if (target.startsWith("socket:")
            || target.startsWith("anon_inode:")
            || (target.startsWith(temporary) && !target.endsWith(".jar"))) {
          count++;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count;
  }
}
