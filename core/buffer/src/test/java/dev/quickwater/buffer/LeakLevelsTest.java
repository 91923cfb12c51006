package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.LeakCheckpoint;
import dev.quickwater.common.LeakTracker;
import dev.quickwater.testkit.ChildJvm;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each level, in a separate process, behaves as its row of the table in [LeakTracker] describes.
class LeakLevelsTest {

  private static final int BUFFERS = 16 << 10;

  /// Leaks many buffers, each touched and with a view, and prints what is tracked of them.
  static final class LeakMany {
    public static void main(String[] args) {
      List<String> reports = new CopyOnWriteArrayList<>();
      LoopAllocator allocator = new LoopAllocator();
      allocator.attach();
      try (LeakCheckpoint checkpoint = LeakTracker.checkpoint();
          var _ = LeakTracker.onLeak(reports::add)) {
        for (int i = 0; i < BUFFERS; i++) {
          allocator.allocate(16).touch("by the test");
        }
        List<LeakTracker.Leak> buffers = checkpoint.unreleased();
        long touched = buffers.stream().filter(l -> l.report().contains("by the test")).count();
        for (int i = 0; i < BUFFERS; i++) {
          ByteBuf buffer = allocator.allocate(16);
          buffer.slice(0, 8);
          buffer.release();
        }
        int views = checkpoint.unreleased().size() - buffers.size();
        System.out.println(buffers.size() + " " + touched + " " + views);
        buffers.stream().skip(1).forEach(LeakTracker.Leak::released);
        System.out.println(isAnyReported(reports));
      }
    }
  }

  /// Leaks many views of one buffer that stays live and prints whether one of them is reported.
  static final class LeakViews {
    public static void main(String[] args) {
      List<String> reports = new CopyOnWriteArrayList<>();
      try (var _ = LeakTracker.onLeak(reports::add)) {
        ByteBuf buffer = ByteBufAllocator.shared().allocate(16);
        for (int i = 0; i < BUFFERS; i++) {
          buffer.slice(0, 8);
        }
        boolean reported = isAnyReported(reports);
        System.out.println(reported + " " + buffer.isLive());
      }
    }
  }

  /// Collects garbage until a leak is reported.
  private static boolean isAnyReported(List<String> reports) {
    boolean expected = LeakTracker.LEVEL != LeakTracker.Level.DISABLED;
    long deadline = System.nanoTime() + 30_000_000_000L;
    for (int rounds = 0; rounds < 3 || reports.isEmpty() && expected; rounds++) {
      System.gc();
      LeakTracker.reportUnreachable();
      if (System.nanoTime() > deadline) {
        break;
      }
    }
    return !reports.isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "disabled, 0, 0, 0",
    "simple, 1024, 0, 1024",
    "advanced, 128, 128, 128",
    "paranoid, 1, 1, 1"
  })
  void levelTracksItsShareOfHandles(
      String level, int buffersPerTracked, int buffersPerTouched, int viewsPerTracked)
      throws Exception {
    ChildJvm child = ChildJvm.run(LeakMany.class, "-Ddev.quickwater.leakLevel=" + level);
    assertEquals(0, child.exit(), child.err());
    List<String> lines = child.out().lines().toList();
    String[] counts = lines.getFirst().split(" ");
    assertRatio(buffersPerTracked, Integer.parseInt(counts[0]), "tracked");
    assertRatio(buffersPerTouched, Integer.parseInt(counts[1]), "touched");
    assertRatio(viewsPerTracked, Integer.parseInt(counts[2]), "views");
    assertEquals(buffersPerTracked != 0, Boolean.parseBoolean(lines.get(1)), "reported");
    assertEquals(buffersPerTracked != 0, child.err().contains("leak: "), "logged");
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "advanced", "paranoid"})
  void leakedViewsOfALiveBufferAreReported(String level) throws Exception {
    ChildJvm child = ChildJvm.run(LeakViews.class, "-Ddev.quickwater.leakLevel=" + level);
    assertEquals("true true\n", child.out(), child.err());
    assertTrue(child.err().contains("leak: a view of a buffer was never released"), child.err());
  }

  @Test
  void defaultLevelIsSimple() throws Exception {
    ChildJvm child = ChildJvm.run(LeakViews.class);
    assertEquals("true true\n", child.out(), child.err());
    assertTrue(child.err().contains("leak level simple: "), child.err());
  }

  /// Sampling is by hash, and so even, but not exact.
  private static void assertRatio(int buffersPer, int count, String what) {
    int expected = buffersPer == 0 ? 0 : BUFFERS / buffersPer;
    int slack = buffersPer <= 1 ? 0 : expected / 4;
    assertTrue(Math.abs(count - expected) <= slack, count + " " + what + ", not " + expected);
  }

  @Test
  void levelOfNoMeaningIsRefusedByName() throws Exception {
    ChildJvm child = ChildJvm.run(LeakMany.class, "-Ddev.quickwater.leakLevel=sometimes");
    assertNotEquals(0, child.exit());
    assertTrue(
        child
            .err()
            .contains(
                "dev.quickwater.leakLevel is 'sometimes', expected disabled, simple, advanced or"
                    + " paranoid"),
        child.err());
  }

  @Test
  void levelIsReadWhateverItsCase() throws Exception {
    ChildJvm child = ChildJvm.run(LeakMany.class, "-Ddev.quickwater.leakLevel= Disabled ");
    assertEquals("0 0 0\nfalse\n", child.out(), child.err());
  }
}
