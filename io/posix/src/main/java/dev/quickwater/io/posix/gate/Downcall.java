package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Calls a linked function and converts its result to the gate's form: failures as negated errno.
///
/// The handles come from `static final` fields of the caller, which are constants to the compiler.
/// This class provides the try block and the lookup of the thread's errno capture. Any thread may
/// call. `Linker.Option.critical` is never used: it saves about 4 % and makes a garbage collection
/// wait for the call.
public final class Downcall {

  private Downcall() {}

  /// The unconverted result of a call. If this throws, the function was not called.
  static int bare1(MethodHandle h, MemorySegment e, long a) {
    try {
      return (int) (long) h.invokeExact(e, a);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Calls a function without errno. Never allocates, even if not compiled.
  static int withoutErrno3(MethodHandle h, long a, long b, long c) {
    try {
      return (int) (long) h.invokeExact(a, b, c);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  public static int int1(MethodHandle h, long a) {
    MemorySegment e = ErrnoCapture.current();
    return narrow(bare1(h, e, a), e);
  }

  public static int int2(MethodHandle h, long a, long b) {
    MemorySegment e = ErrnoCapture.current();
    try {
      return narrow((int) (long) h.invokeExact(e, a, b), e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  public static int int3(MethodHandle h, long a, long b, long c) {
    MemorySegment e = ErrnoCapture.current();
    try {
      return narrow((int) (long) h.invokeExact(e, a, b, c), e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  public static int int4(MethodHandle h, long a, long b, long c, long d) {
    MemorySegment e = ErrnoCapture.current();
    try {
      return narrow((int) (long) h.invokeExact(e, a, b, c, d), e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  public static int int5(MethodHandle h, long a, long b, long c, long d, long f) {
    MemorySegment e = ErrnoCapture.current();
    try {
      return narrow((int) (long) h.invokeExact(e, a, b, c, d, f), e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  public static long long3(MethodHandle h, long a, long b, long c) {
    MemorySegment e = ErrnoCapture.current();
    try {
      long result = (long) h.invokeExact(e, a, b, c);
      return result == -1 ? -Linkage.errno(e) : result;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  public static long long4(MethodHandle h, long a, long b, long c, long d) {
    MemorySegment e = ErrnoCapture.current();
    try {
      long result = (long) h.invokeExact(e, a, b, c, d);
      return result == -1 ? -Linkage.errno(e) : result;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static int narrow(int result, MemorySegment capture) {
    return result == -1 ? -Linkage.errno(capture) : result;
  }

  /// An uncompiled call allocates, and may fail for lack of memory.
  private static AssertionError unexpected(Throwable t) {
    if (t instanceof Error error) {
      throw error;
    }
    return new AssertionError("a downcall threw", t);
  }
}
