package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// In a JVM of its own, whose memory can run out without harm to other tests.
final class MapMemoryTest {

  private static String place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  @Test
  void mapsAreAsTheyWereWhenMemoryRunsOut(@TempDir Path dir) throws Exception {
    File output = dir.resolve("output").toFile();
    Path classes = Path.of(place(IntMap.class));
    Path tests = Path.of("target", "test-classes").toAbsolutePath();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-cp",
                classes + File.pathSeparator + tests,
                MapWithoutMemory.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it still runs");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    assertEquals("done", said.strip());
    assertEquals(0, process.exitValue());
  }
}
