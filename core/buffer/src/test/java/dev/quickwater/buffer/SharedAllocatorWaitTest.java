package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever waits for a heap lets its holder go on, even where both are virtual threads with one
/// carrier for all.
class SharedAllocatorWaitTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void waiterGivesUpTheOnlyCarrier(boolean interrupted) throws Exception {
    assertEquals(
        new ChildJvm(0, "allocated, interrupted=" + interrupted + "\n", ""),
        ChildJvm.run(
            OneCarrier.class,
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1",
            "-Dinterrupted=" + interrupted));
  }
}
