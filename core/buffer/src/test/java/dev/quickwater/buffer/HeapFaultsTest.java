package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;

/// When an allocation in the Java heap fails at any step of any call, no block is lost and none is
/// handed out twice.
class HeapFaultsTest {

  private static void run(Storage storage, String level, int step) throws Exception {
    StringBuilder broken = new StringBuilder();
    for (int part = 0; part < HeapFaults.PARTS; part++) {
      broken.append(broken(storage, level, step, part));
    }
    assertEquals("", broken.toString());
  }

  /// The lines of the calls that broke a rule.
  private static String broken(Storage storage, String level, int step, int part) throws Exception {
    boolean nativeMemory = storage == Storage.NATIVE;
    ChildJvm child =
        ChildJvm.run(
            HeapFaults.class,
            "-Xmx16m",
            "-XX:-UseTLAB",
            "-Ddev.quickwater.leakLevel=" + level,
            "-Ddev.quickwater.bufferLimit=" + (nativeMemory ? 512 << 20 : 32 << 20),
            "-Dqw.faults.part=" + part,
            "-Dqw.faults.step=" + step,
            nativeMemory ? "--enable-native-access=ALL-UNNAMED" : "--illegal-native-access=deny");
    assertEquals(0, child.exit(), () -> child.out() + child.err());
    assertTrue(child.err().contains("still logging"), child::err);
    int end = child.out().lastIndexOf('\n', child.out().length() - 2) + 1;
    String summary = child.out().substring(end);
    assertTrue(summary.matches("\\d{2,} calls, [1-9]\\d* failed, \\d+ broke a rule\n"), summary);
    return child.out().substring(0, end);
  }

  @EachStorage
  void failedAllocationOfTheJavaHeapLosesNoMemory(Storage storage) throws Exception {
    run(storage, "disabled", 3);
  }

  @EachStorage
  @Tag("full")
  void failedAllocationAtAnyDepthLosesNoMemory(Storage storage) throws Exception {
    run(storage, "disabled", 1);
  }

  @EachStorage
  @Tag("full")
  void failedAllocationOfTheLeakTrackerLosesNoMemory(Storage storage) throws Exception {
    run(storage, "paranoid", 1);
  }
}
