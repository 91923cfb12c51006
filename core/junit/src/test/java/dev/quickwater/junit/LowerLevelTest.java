package dev.quickwater.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The level is chosen once a process, so these tests start others.
class LowerLevelTest {

  @Inner
  @NoLeaks(graceMillis = 0)
  static final class Clean {
    @Test
    void clean() {}
  }

  static final class RunClean {
    public static void main(String[] args) {
      Outcome outcome = Outcome.of(Clean.class);
      System.out.println(outcome.failures().get("clean()") + outcome.entries());
    }
  }

  private static String run(String level, Path directory) throws Exception {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Ddev.quickwater.leakLevel=" + level,
                    "-cp",
                    System.getProperty("java.class.path"),
                    RunClean.class.getName()))
            .redirectOutput(out.toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the child JVM did not end");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue());
    return Files.readString(out);
  }

  @Test
  void everyLevelButParanoidIsSaidToMissLeaks(@TempDir Path directory) throws Exception {
    for (String level : List.of("disabled", "simple", "advanced")) {
      assertEquals(
          "[leaks may go unnoticed: the leak level is "
              + level
              + "; run tests with -Ddev.quickwater.leakLevel=paranoid]\n",
          run(level, directory));
      assertTrue(
          Files.readString(directory.resolve("err")).contains("leaks may go unnoticed"), level);
    }
    assertEquals("[]\n", run("paranoid", directory));
  }
}
