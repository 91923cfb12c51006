package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
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

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void overTheLimitIsAnErrorThatNamesTheSettingAndCanBeSurvived(String access) throws Exception {
    String limit = "the limit is 4194304 (-Ddev.quickwater.nativeMemoryLimit)";
    assertEquals(
        new ChildJvm(
            0,
            """
            buffers hold 4128768 bytes and need 229376 more; %s
            buffers hold 4128768 bytes and need 10485760 more; %s
            4128768
            0
            """
                .formatted(limit, limit),
            ""),
        ChildJvm.run(Fill.class, access, "-Ddev.quickwater.nativeMemoryLimit=4194304"));
  }
}
