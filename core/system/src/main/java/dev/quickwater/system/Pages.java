package dev.quickwater.system;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Address ranges from the kernel.
///
/// - A mapped range is **never unmapped or protected**: a racing thread that still holds an address
///   may read wrong bytes, but it cannot fault. [#discard] returns memory to the system.
/// - [#map] is rare and serialised, because all calls share one errno capture. [#discard] may run
///   on many threads at once: it captures errno only when the kernel has refused.
public final class Pages {

  private static final int READ_WRITE = 3;
  private static final int PRIVATE = 2;
  private static final int ANONYMOUS = Platform.LINUX ? 0x20 : 0x1000;
  private static final int NO_RESERVE = Platform.LINUX ? 0x4000 : 0x40;
  private static final int DONT_NEED = 4;
  private static final int NO_HUGE_PAGE = 15;

  private Pages() {}

  /// The size of a system page, a power of two.
  ///
  /// @throws UnsupportedOperationException if native access is not granted
  public static int size() {
    NativeAccess.require();
    try {
      return (int) (long) Handles.PAGE_SIZE.invokeExact();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /// Maps `length` zeroed bytes, page aligned.
  ///
  /// @throws OutOfMemoryError if the system refuses; the message has the length and errno
  /// @throws UnsupportedOperationException if native access is not granted
  public static long map(long length) {
    return map(length, PRIVATE | ANONYMOUS);
  }

  /// Like [#map], for a range of which only a small part will be used. If the system allows it, the
  /// range does not count as committed memory.
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

  /// Returns the memory of a mapped range to the system. The range stays valid and reads as zeros.
  ///
  /// The kernel rounds the length up to whole pages of [#size], so a range that ends inside a page
  /// loses the rest of that page.
  ///
  /// @throws IllegalArgumentException if the system refuses, as it does for ranges that do not
  ///   begin at a page boundary and for memory that the process has locked
  public static void discard(long address, long length) {
    NativeAccess.require();
    if (advise(address, length, DONT_NEED) != 0) {
      discardAgain(address, length);
    }
  }

  /// Requests that the system back a mapped range with pages of [#size] only, so that touching a
  /// byte makes at most one such page resident. Without effect where there are no huge pages.
  public static void preferSmallPages(long address, long length) {
    NativeAccess.require();
    if (Platform.LINUX) {
      advise(address, length, NO_HUGE_PAGE);
    }
  }

  private static int advise(long address, long length, long advice) {
    try {
      return (int) (long) Handles.MADVISE.invokeExact(address, length, advice);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static synchronized void discardAgain(long address, long length) {
    int result;
    try {
      result =
          (int)
              (long)
                  Handles.MADVISE_ERRNO.invokeExact(
                      Handles.CAPTURE, address, length, (long) DONT_NEED);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
    if (result != 0) {
      throw new IllegalArgumentException(
          "madvise of "
              + length
              + " bytes at 0x"
              + Long.toHexString(address)
              + " failed with errno "
              + Linkage.errno(Handles.CAPTURE));
    }
  }

  private static final class Handles {
    static final MemorySegment CAPTURE = Linkage.newCapture();
    static final MethodHandle PAGE_SIZE = Linkage.withoutErrno("getpagesize", 0);
    static final MethodHandle MMAP = Linkage.withErrno("mmap", 6);
    static final MethodHandle MADVISE = Linkage.withoutErrno("madvise", 3);
    static final MethodHandle MADVISE_ERRNO = Linkage.withErrno("madvise", 3);
  }
}
