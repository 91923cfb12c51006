package dev.quickwater.buffer.allocation;

import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.Pages;
import dev.quickwater.system.Settings;
import org.jspecify.annotations.Nullable;

/// The source of the memory of pages, in multiples of [#UNIT]; unpooled arrays have any size.
/// Process-wide; any thread.
///
/// - Pooled memory that was returned stays for a while as *idle* memory. It counts as reserved and
///   serves the next requests first. It returns to the system when it exceeds a quarter of the
///   memory in use, when no request has needed it for a while, and before a request is refused
///   because of the limit.
/// - **[#release] allocates nothing**, so a full Java heap does not make it fail. [#take] allocates
///   before it takes memory.
public interface PageSource {

  /// The granule of pages.
  int UNIT = unit(NativeAccess.enabled() ? Pages.size() : 1);

  /// Bytes of idle memory that are kept even if less memory is in use. A program that repeatedly
  /// fills and releases some buffers of megabytes then does not wait for the system to zero them.
  long IDLE_KEPT = Math.min(16 << 20, Settings.BUFFER_LIMIT / 16);

  /// The granule for a page size of the system. The kernel returns whole pages only, so a granule
  /// is never smaller than a page.
  static int unit(int pageSize) {
    return Math.max(16 << 10, pageSize);
  }

  /// A region of `bytes`, a multiple of [#UNIT], with arbitrary content.
  ///
  /// @param driven the heap that the caller drives, which is trimmed before a request is refused
  /// @throws OutOfMemoryError if the limit of the process would be exceeded, the system refuses, or
  ///   the Java heap is full; nothing is taken then
  Region take(int bytes, @Nullable Heap driven);

  /// Returns a region and passes its ownership to the source.
  void release(Region region);

  /// Returns all idle memory to the system, or leaves it to the garbage collector.
  void trim();

  /// Returns the idle memory that no request has needed since the last call. Called from time to
  /// time by idle loops.
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
