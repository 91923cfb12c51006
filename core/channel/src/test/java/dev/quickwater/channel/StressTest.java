package dev.quickwater.channel;

import dev.quickwater.testkit.Jcstress;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
final class StressTest {

  @Test
  void noInterleavingBreaksTheRules(@TempDir Path directory) throws Exception {
    Jcstress.run("dev.quickwater.channel", directory);
  }
}
