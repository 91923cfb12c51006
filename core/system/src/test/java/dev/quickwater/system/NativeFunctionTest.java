package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NativeFunctionTest {

  private static NativeLibrary libc() {
    NativeLibrary library = NativeLibrary.open("libc.so.6");
    assertNotNull(library);
    return library;
  }

  @Test
  void libraryIsFoundByItsSoname() {
    assertTrue(libc().has("abs"));
    assertFalse(libc().has("no_such_function"));
    assertEquals("libc.so.6", libc().toString());
  }

  @Test
  void missingLibraryIsNull() {
    assertNull(NativeLibrary.open("libno-such-library.so.1"));
    assertNull(NativeLibrary.open("/no/such/library.so"));
  }

  @Test
  void functionIsCalledOnceItIsLinked() {
    NativeFunction abs = NativeFunction.of(1, "abs");
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> abs.call(-5));
    assertEquals("the function [abs] is not linked", e.getMessage());
    abs.link(libc());
    assertEquals(5, (int) abs.call(-5));
  }

  @Test
  void firstNameThatExistsIsLinked() {
    NativeFunction abs = NativeFunction.of(1, "no_such_function", "abs");
    abs.link(libc());
    assertEquals(7, (int) abs.call(-7));
  }

  @Test
  void missingFunctionIsNamedAndTheLinkCanBeRepeated() {
    NativeFunction missing = NativeFunction.of(0, "no_such_function");
    for (int i = 0; i < 2; i++) {
      UnsupportedOperationException e =
          assertThrows(UnsupportedOperationException.class, () -> missing.link(libc()));
      assertEquals("the library libc.so.6 has no function no_such_function", e.getMessage());
    }
  }

  static long compare(long left, long right) {
    return Integer.compare(
        Memory.segment(left, 4).get(ValueLayout.JAVA_INT, 0),
        Memory.segment(right, 4).get(ValueLayout.JAVA_INT, 0));
  }

  @Test
  void functionCallsBack() throws Exception {
    MethodHandle compare =
        MethodHandles.lookup()
            .findStatic(
                NativeFunctionTest.class,
                "compare",
                MethodType.methodType(long.class, long.class, long.class));
    NativeFunction qsort = NativeFunction.of(4, "qsort");
    qsort.link(libc());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 1, 2);
      qsort.call(numbers.address(), 3, 4, Linkage.upcall(compare));
      assertEquals(1, numbers.getAtIndex(ValueLayout.JAVA_INT, 0));
      assertEquals(3, numbers.getAtIndex(ValueLayout.JAVA_INT, 2));
    }
  }
}
