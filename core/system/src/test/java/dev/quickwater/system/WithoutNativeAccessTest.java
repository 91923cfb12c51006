package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WithoutNativeAccessTest {

  static final class Try {
    public static void main(String[] args) {
      expect(UnsupportedOperationException.class, () -> Pages.map(4096));
      expect(UnsupportedOperationException.class, () -> Pages.discard(0, 4096));
      expect(UnsupportedOperationException.class, () -> Linkage.withErrno("close", 1));
      expect(UnsupportedOperationException.class, Linkage::newCapture);
      expect(UnsupportedOperationException.class, () -> NativeLibrary.open("libc.so.6"));
      expect(
          UnsupportedOperationException.class,
          () -> Linkage.upcall(MethodHandles.constant(long.class, 0L)));
      expect(IndexOutOfBoundsException.class, () -> Memory.getByte(4096, 0));
      if (Linkage.has("close")) {
        throw new AssertionError("found a function");
      }
      System.out.println("done");
    }

    private static void expect(Class<?> type, Runnable action) {
      try {
        action.run();
      } catch (RuntimeException e) {
        if (e.getClass() == type) {
          return;
        }
        throw e;
      }
      throw new AssertionError("nothing was thrown");
    }
  }

  @Test
  void restrictedCallsSayThatAccessIsNotGranted() throws Exception {
    assertEquals(new ChildJvm(0, "done\n", ""), ChildJvm.run(Try.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deny", "warn"})
  void nothingRestrictedIsCalledWhateverTheJvmSaysToIt(String policy) throws Exception {
    assertEquals(
        new ChildJvm(0, "done\n", ""),
        ChildJvm.run(Try.class, "--illegal-native-access=" + policy));
  }
}
