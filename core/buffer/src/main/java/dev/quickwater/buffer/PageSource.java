package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.Pages;
import dev.quickwater.system.Settings;
import org.jspecify.annotations.Nullable;

/// Where heaps get the memory of their pages, in multiples of [#UNIT] (arrays that are not pooled:
/// of any size). Process-wide; any thread.
///
/// - Pooled memory that was given back is kept for a while, as *idle*: it counts as reserved, is
///   handed out again first, and returns to the system when it is more than a quarter of what is in
///   use, when no request has needed it for a while, and before a request is refused for the limit.
/// - **Giving allocates nothing** and fails for no reason of the Java heap. Taking allocates before
///   it takes.
sealed interface PageSource permits NativePages, ArrayPages, UnpooledArrays {

  /// The granule of pages.
  int UNIT = unit(NativeAccess.enabled() ? Pages.size() : 1);

  /// Idle memory up to this is kept whatever is in use, so that a program which fills and empties
  /// some buffers of megabytes again and again does not wait for the system to zero them.
  long IDLE_KEPT = Math.min(16 << 20, Settings.BUFFER_LIMIT / 16);

  /// The granule for a page size of the system: a part of a system page could not be returned
  /// alone, because the kernel returns whole pages.
  static int unit(int pageSize) {
    return Math.max(16 << 10, pageSize);
  }

  /// A region of `bytes`, a multiple of [#UNIT], with arbitrary content.
  ///
  /// @param driven the heap that the caller drives, which is trimmed before a request is refused
  /// @throws OutOfMemoryError over the limit of the process, if the system refuses, or if the Java
  ///   heap is full; nothing is taken then
  Region take(int bytes, @Nullable Heap driven);

  /// Takes ownership of a region back.
  void give(Region region);

  /// Returns all idle memory to the system, or leaves it to the garbage collector.
  void trim();

  /// Returns the idle memory that no request has needed since the last call. Called now and then by
  /// loops that have nothing to do.
  void trimUnused();

  /// True when there is idle memory.
  boolean hasIdle();

  /// Bytes in use or idle, where the source keeps count.
  long reserved();

  /// Memory of this kind.
  static PageSource of(boolean nativeMemory) {
    return nativeMemory ? NativePages.IT : ArrayPages.IT;
  }

  static int roundUp(int bytes) {
    return Math.addExact(bytes, UNIT - 1) & -UNIT;
  }
}
