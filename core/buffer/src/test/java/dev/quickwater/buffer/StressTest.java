package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs every jcstress test of this module, a minute or two in all, in JVMs of its own.
@Tag("full")
class StressTest {

  @Test
  void noInterleavingBreaksTheRules(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("jcstress.log");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "org.openjdk.jcstress.Main",
            "-t",
            "dev.quickwater.buffer",
            "-m",
            "quick",
            "-jvmArgs",
            "-Xmx512m",
            "-r",
            directory.resolve("results").toString());
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertTrue(process.waitFor(10, TimeUnit.MINUTES), "jcstress did not end");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String text = Files.readString(log);
    assertEquals(0, process.exitValue(), text);
    assertTrue(text.contains("Failed tests: No matches."), text);
    assertTrue(text.contains("Error tests: No matches."), text);
    assertFalse(text.contains("Results: 0 planned"), text);
  }
}
