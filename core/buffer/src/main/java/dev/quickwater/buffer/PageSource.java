package dev.quickwater.buffer;

import dev.quickwater.system.Settings;

/// Where heaps get the memory of their pages, in multiples of [#UNIT] (arrays that are not pooled:
/// of any size). Process-wide; any thread.
///
/// Pooled memory that came back is kept for a while, as *idle*: it counts as reserved, is handed
/// out again first, and returns to the system when there is more of it than a quarter of what is in
/// use, on [#trim], and before a request is refused for the limit.
sealed interface PageSource permits NativePages, ArrayPages, UnpooledArrays {

  /// The granule: four pages of most systems.
  int UNIT = 16 << 10;

  /// Idle memory up to this is kept whatever is in use, so that a program which fills and empties
  /// some buffers of megabytes again and again does not wait for the system to zero them.
  long IDLE_KEPT = Math.min(16 << 20, Settings.MEMORY_LIMIT / 16);

  /// A region of `bytes`, a multiple of [#UNIT], with arbitrary content.
  ///
  /// @throws OutOfMemoryError over the limit of the process, or if the system refuses
  Region take(int bytes);

  /// Takes a region back.
  void give(Region region);

  /// Returns all idle memory to the system, or to the collector.
  void trim();

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
