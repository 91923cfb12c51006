package dev.quickwater.system;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;

/// Links C functions of the standard library.
///
/// All arguments and results are `long`, so that many functions share a few signatures: linking the
/// first handle of a signature costs milliseconds, and each further function costs far less. A
/// function declared `int` leaves the upper half of the result undefined; its caller narrows with
/// `(int)`. Passing a `long` where C declares `int` is defined on x86-64 and aarch64, the two
/// supported machines.
public final class Linkage {

  /// Bytes to reserve for the errno capture of one thread.
  public static final int ERRNO_SIZE = 4;

  private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final long ERRNO = CAPTURE.byteOffset(PathElement.groupElement("errno"));

  private Linkage() {}

  /// Links `name`, which takes `arguments` longs, so that errno is captured. The handle's type is
  /// `(MemorySegment capture, long...) -> long`.
  ///
  /// @throws UnsupportedOperationException if native access is not granted or the function does not
  ///   exist
  public static MethodHandle withErrno(String name, int arguments) {
    return link(name, signature(arguments), Linker.Option.captureCallState("errno"));
  }

  /// Links `name`, which takes `arguments` longs, without errno. The type of the handle is
  /// `(long...) -> long`. Any thread may call the handle at any time.
  ///
  /// @throws UnsupportedOperationException if native access is not granted or the function does not
  ///   exist
  public static MethodHandle withoutErrno(String name, int arguments) {
    return link(name, signature(arguments));
  }

  /// Like [#withErrno], for a variadic function whose first `fixed` arguments are not variadic.
  public static MethodHandle variadicWithErrno(String name, int arguments, int fixed) {
    return link(
        name,
        signature(arguments),
        Linker.Option.firstVariadicArg(fixed),
        Linker.Option.captureCallState("errno"));
  }

  /// True when the C library has a function of this name.
  public static boolean has(String name) {
    return NativeAccess.enabled() && find(name).isPresent();
  }

  /// A segment for errno capture, freed when it is unreachable. Threads never share one.
  public static MemorySegment newCapture() {
    NativeAccess.require();
    return Arena.ofAuto().allocate(CAPTURE);
  }

  /// The errno of the last failed call that captured into `capture`.
  public static int errno(MemorySegment capture) {
    return capture.get(ValueLayout.JAVA_INT, ERRNO);
  }

  /// The address of a C function that calls `target`, whose type is `(long...) -> long`. Never
  /// freed.
  ///
  /// An exception that leaves `target` terminates the JVM: the target catches everything.
  ///
  /// @throws UnsupportedOperationException if native access is not granted
  @SuppressWarnings("restricted")
  public static long upcall(MethodHandle target) {
    NativeAccess.require();
    FunctionDescriptor signature = signature(target.type().parameterCount());
    return Linker.nativeLinker().upcallStub(target, signature, Arena.global()).address();
  }

  static FunctionDescriptor signature(int arguments) {
    ValueLayout[] longs = new ValueLayout[arguments];
    Arrays.fill(longs, ValueLayout.JAVA_LONG);
    return FunctionDescriptor.of(ValueLayout.JAVA_LONG, longs);
  }

  private static Optional<MemorySegment> find(String name) {
    SymbolLookup lookup = Linker.nativeLinker().defaultLookup();
    return lookup.find(name);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    NativeAccess.require();
    MemorySegment symbol =
        find(name)
            .orElseThrow(
                () -> new UnsupportedOperationException("the C library has no function " + name));
    return Linker.nativeLinker().downcallHandle(symbol, descriptor, options);
  }
}
