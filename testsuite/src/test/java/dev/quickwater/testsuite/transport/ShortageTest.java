package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process whose first log record reports missing descriptors.
@Timeout(120)
final class ShortageTest {

  @Test
  void requestWithoutDescriptorsIsAnsweredAndLoggedAndTheNextIsServed(@TempDir Path folder)
      throws Exception {
    Files.writeString(folder.resolve("file"), "content");
    try (ChildJvm child =
        new ChildJvm(
            "ulimit -n 100",
            List.of("--enable-native-access=ALL-UNNAMED"),
            ShortageProcess.class,
            folder.toString())) {
      assertEquals("HTTP/1.1 503 Service Unavailable", child.line());
      assertEquals("HTTP/1.1 200 OK", child.line());
      String log = child.end();
      assertTrue(log.contains("a file that exists cannot be opened"), log);
      assertTrue(log.toLowerCase(java.util.Locale.ROOT).contains("too many open files"), log);
    }
  }
}
