package dev.quickwater.system;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Address ranges from the kernel.
///
/// A range that was mapped once is **never unmapped or protected**, whatever becomes of it: a
/// racing thread that still holds an address may read wrong bytes, but it cannot fault. Memory goes
/// back to the system by [#discard]. Calls are rare (one a slab) and take turns, sharing one errno
/// capture.
public final class Pages {

  private static final int READ_WRITE = 3;
  private static final int PRIVATE = 2;
  private static final int ANONYMOUS = Platform.LINUX ? 0x20 : 0x1000;
  private static final int NO_RESERVE = Platform.LINUX ? 0x4000 : 0x40;
  private static final int DONT_NEED = 4;

  private Pages() {}

  /// Maps `length` zeroed bytes, page aligned.
  ///
  /// @throws OutOfMemoryError if the system refuses; the message has the length and errno
  /// @throws UnsupportedOperationException if native access is not granted
  public static long map(long length) {
    return map(length, PRIVATE | ANONYMOUS);
  }

  /// Like [#map], for far more than will be used: where the system allows that, it does not count
  /// the range against what it has.
  ///
  /// @throws OutOfMemoryError if the system refuses; the message has the length and errno
  /// @throws UnsupportedOperationException if native access is not granted
  public static long mapSparse(long length) {
    return map(length, PRIVATE | ANONYMOUS | NO_RESERVE);
  }

  private static synchronized long map(long length, long flags) {
    NativeAccess.require();
    MemorySegment capture = Handles.CAPTURE;
    long address;
    try {
      address =
          (long) Handles.MMAP.invokeExact(capture, 0L, length, (long) READ_WRITE, flags, -1L, 0L);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
    if (address == -1) {
      throw new OutOfMemoryError(
          "mmap of " + length + " bytes failed with errno " + Linkage.errno(capture));
    }
    return address;
  }

  /// Gives the memory of a mapped range back to the system; the range stays valid and reads as
  /// zeros.
  ///
  /// @throws IllegalArgumentException if the system refuses, as it does for ranges that are not
  ///   page aligned and for memory that the process has locked
  public static synchronized void discard(long address, long length) {
    NativeAccess.require();
    try {
      int result =
          (int)
              (long)
                  Handles.MADVISE.invokeExact(Handles.CAPTURE, address, length, (long) DONT_NEED);
      if (result != 0) {
        throw new IllegalArgumentException(
            "madvise of "
                + length
                + " bytes at 0x"
                + Long.toHexString(address)
                + " failed with errno "
                + Linkage.errno(Handles.CAPTURE));
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static final class Handles {
    static final MemorySegment CAPTURE = Linkage.newCapture();
    static final MethodHandle MMAP = Linkage.withErrno("mmap", 6);
    static final MethodHandle MADVISE = Linkage.withErrno("madvise", 3);
  }
}
