package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A thread that waits for a heap lets the holder of the heap run, even if both are virtual threads
/// with one carrier.
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
