package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// A program that gives the JVM no flag sees nothing on standard error.
class WithoutFlagsTest {

  static final class UseBuffers {
    public static void main(String[] args) {
      LoopAllocator allocator = new LoopAllocator();
      allocator.attach();
      ByteBuf buffer = allocator.allocate(10);
      buffer.writeUtf8("grows beyond what it was made for").writeLong(1);
      ByteBuf slice = buffer.slice(0, 5);
      System.out.println(
          slice.toString(StandardCharsets.UTF_8) + " native=" + UnsafeViews.isNative(buffer));
      slice.release();
      buffer.release();
      allocator.detach();
      ByteBufAllocator.shared().allocate(2 << 20).release();
    }
  }

  @Test
  void nothingIsPrintedWithoutAnyFlag() throws Exception {
    assertEquals(new ChildJvm(0, "grows native=false\n", ""), ChildJvm.run(UseBuffers.class));
  }

  @Test
  void worksWhereNativeAccessIsDenied() throws Exception {
    assertEquals(
        new ChildJvm(0, "grows native=false\n", ""),
        ChildJvm.run(UseBuffers.class, "--illegal-native-access=deny"));
  }

  @Test
  void oneFlagGivesNativeMemory() throws Exception {
    assertEquals(
        new ChildJvm(0, "grows native=true\n", ""),
        ChildJvm.run(
            UseBuffers.class,
            "--enable-native-access=ALL-UNNAMED",
            "--illegal-native-access=deny"));
  }
}
