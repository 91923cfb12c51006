package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class LinkageTest {

  private static final int EBADF = 9;
  private static final long F_GETFD = 1;

  @Test
  void failedCallLeavesItsErrnoInTheCapture() throws Throwable {
    MethodHandle close = Linkage.withErrno("close", 1);
    MemorySegment capture = Linkage.newCapture();
    assertEquals(-1, (int) (long) close.invokeExact(capture, -1L));
    assertEquals(EBADF, Linkage.errno(capture));
  }

  @Test
  void variadicFunctionIsCalled() throws Throwable {
    MethodHandle fcntl = Linkage.variadicWithErrno("fcntl", 3, 2);
    MemorySegment capture = Linkage.newCapture();
    assertEquals(-1, (int) (long) fcntl.invokeExact(capture, -1L, F_GETFD, 0L));
    assertEquals(EBADF, Linkage.errno(capture));
  }

  @Test
  void capturesDoNotShareErrno() throws Throwable {
    MethodHandle close = Linkage.withErrno("close", 1);
    MemorySegment one = Linkage.newCapture();
    MemorySegment other = Linkage.newCapture();
    long _ = (long) close.invokeExact(one, -1L);
    assertEquals(EBADF, Linkage.errno(one));
    assertEquals(0, Linkage.errno(other));
  }

  @Test
  void captureHasRoomForErrno() {
    assertTrue(Linkage.newCapture().byteSize() >= Linkage.ERRNO_SIZE);
  }

  @Test
  void functionsAreLookedUpByName() {
    assertTrue(Linkage.has("mmap"));
    assertFalse(Linkage.has("no_such_function"));
    UnsupportedOperationException e =
        assertThrows(
            UnsupportedOperationException.class, () -> Linkage.withErrno("no_such_function", 0));
    assertEquals("the C library has no function no_such_function", e.getMessage());
  }
}
