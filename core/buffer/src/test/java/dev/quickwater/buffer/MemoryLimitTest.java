package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.allocation.MemoryLimit;
import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.testkit.ChildJvm;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryLimitTest {

  static final class Fill {
    public static void main(String[] args) {
      List<ByteBuf> held = new ArrayList<>();
      try {
        while (true) {
          held.add(ByteBufAllocator.shared().allocate(100_000));
        }
      } catch (OutOfMemoryError e) {
        System.out.println(e.getMessage());
      }
      try {
        ByteBufAllocator.shared().allocate(10 << 20);
      } catch (OutOfMemoryError e) {
        System.out.println(e.getMessage());
      }
      System.out.println(AllocatorMetrics.reservedInProcess());
      held.forEach(ByteBuf::release);
      ByteBufAllocator.shared().allocate(100_000).release();
      System.out.println(ByteBufAllocator.shared().metrics().used());
    }
  }

  /// Threads ask for more than there is again and again; others, which together stay far below the
  /// limit, must not be refused for that.
  static final class Greedy {
    private static final int GREEDY = 4;
    private static final AtomicInteger ASKING = new AtomicInteger(GREEDY);
    private static final AtomicInteger REFUSED = new AtomicInteger();

    public static void main(String[] args) throws Exception {
      Threads.together(GREEDY + 2, number -> run(number < GREEDY));
      System.out.println(REFUSED + " of " + MemoryLimit.reserved());
    }

    private static void run(boolean greedy) {
      if (!greedy) {
        while (ASKING.get() > 0) {
          if (isGranted(PageSource.UNIT)) {
            MemoryLimit.unreserve(PageSource.UNIT);
          } else {
            REFUSED.incrementAndGet();
          }
        }
        return;
      }
      for (int i = 0; i < 20_000; i++) {
        if (isGranted(1L << 40)) {
          throw new AssertionError("more than the limit");
        }
      }
      ASKING.decrementAndGet();
    }

    private static boolean isGranted(long bytes) {
      try {
        MemoryLimit.reserve(bytes, null);
        return true;
      } catch (OutOfMemoryError _) {
        return false;
      }
    }
  }

  @Test
  void requestThatIsRefusedCostsNobodyElseHis() throws Exception {
    assertEquals(
        new ChildJvm(0, "0 of 0\n", ""),
        ChildJvm.run(Greedy.class, "-Ddev.quickwater.bufferLimit=4194304"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void overTheLimitIsAnErrorThatNamesTheSettingAndCanBeSurvived(String access) throws Exception {
    String limit = "the limit is 4194304 (-Ddev.quickwater.bufferLimit)";
    assertEquals(
        new ChildJvm(
            0,
            """
            buffers hold 4128768 bytes, native memory and arrays together, and need 229376 more; %s
            buffers hold 4128768 bytes, native memory and arrays together, and need 10485760 more; %s
            4128768
            0
            """
                .formatted(limit, limit),
            ""),
        ChildJvm.run(Fill.class, access, "-Ddev.quickwater.bufferLimit=4194304"));
  }
}
