package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.ChildJvm;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;

/// Runs [HostileCaller] in JVMs that may crash. `-Dqw.hostile.seed=N` sets the first seed; a
/// failure prints the seed of its round.
class HostileCallerTest {

  private static final int NORMAL_MILLIS = 4_000;

  private static final int FULL_MILLIS = 50_000;

  /// Ten minutes for each kind of memory.
  private static final int FULL_RUNS = 12;

  private static final Long GIVEN = Long.getLong("qw.hostile.seed");

  private static void run(Storage storage, String level, int millis) throws Exception {
    long seed = GIVEN == null ? ThreadLocalRandom.current().nextInt(1 << 30) : GIVEN;
    ChildJvm child =
        ChildJvm.run(
            HostileCaller.class,
            "-XX:TieredStopAtLevel=4",
            "-Ddev.quickwater.leakLevel=" + level,
            "-Ddev.quickwater.bufferLimit=" + (64 << 20),
            "-Dqw.hostile.seed=" + seed,
            "-Dqw.hostile.millis=" + millis,
            storage == Storage.NATIVE
                ? "--enable-native-access=ALL-UNNAMED"
                : "--illegal-native-access=deny");
    List<String> rounds = child.out().lines().toList();
    String last = rounds.isEmpty() ? "none" : rounds.getLast();
    assertEquals("passed", last, () -> "rerun with -Dqw.hostile." + last + "\n" + child.err());
    assertTrue(rounds.size() > 2, "no round was played");
  }

  @EachStorage
  void noCallReachesAnotherBlock(Storage storage) throws Exception {
    run(storage, "paranoid", NORMAL_MILLIS);
    run(storage, "disabled", NORMAL_MILLIS);
  }

  @EachStorage
  @Tag("full")
  void noCallReachesAnotherBlockForMinutes(Storage storage) throws Exception {
    for (int i = 0; i < FULL_RUNS; i++) {
      run(storage, i % 2 == 0 ? "disabled" : "paranoid", FULL_MILLIS);
    }
  }
}
