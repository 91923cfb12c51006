package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;

/// Eight threads at once, at the paranoid level: no block in two hands, nothing written after its
/// release, everything back in the end.
class SoakTest {

  @EachStorage
  void everythingComesBackAfterSeconds(Storage storage) throws Exception {
    soak(storage, 3_000);
  }

  @EachStorage
  @Tag("full")
  void everythingComesBackAfterMinutes(Storage storage) throws Exception {
    soak(storage, 120_000);
  }

  private static void soak(Storage storage, long millis) throws Exception {
    boolean nativeMemory = storage == Storage.NATIVE;
    long used = AllocatorMetrics.total(nativeMemory).used();
    long allocations = Soak.run(nativeMemory, millis);
    assertTrue(allocations > 1_000, allocations + " allocations");
    assertEquals(used, AllocatorMetrics.total(nativeMemory).used());
  }
}
