package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// The resources of a process, and waits until they are back at their baseline.
final class Baseline {

  private static final long PATIENCE = 20_000_000_000L;

  private Baseline() {}

  /// Descriptors open in this process.
  static int descriptors() {
    return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
  }

  static void await(String what, BooleanSupplier condition) {
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - began > PATIENCE) {
        fail("not within 20 s: " + what);
      }
      Thread.yield();
    }
  }

  /// Waits until no connection is left and every buffer was released.
  static void awaitQuiet(RunningServer server, long usedBefore) {
    await("no connections", () -> server.connections() == 0);
    await(
        "buffers given back: " + server.usedBytes() + " used, before " + usedBefore,
        () -> server.usedBytes() <= usedBefore);
  }
}
