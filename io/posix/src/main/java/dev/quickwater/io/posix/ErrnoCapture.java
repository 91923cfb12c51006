package dev.quickwater.io.posix;

import dev.quickwater.common.LoopLocal;
import dev.quickwater.system.Linkage;
import java.lang.foreign.MemorySegment;

/// The memory in which a failed call of the current thread leaves errno.
///
/// A capture belongs to a thread and not to a loop, socket or file: those are passed between
/// threads, and two threads that share a capture read each other's errors. The lookup costs a loop
/// thread one array access. The memory of a thread that has ended is freed with its capture.
final class ErrnoCapture {

  private static final LoopLocal<MemorySegment> OF_THREAD =
      LoopLocal.withInitial("errno capture", Linkage::newCapture);

  private ErrnoCapture() {}

  static MemorySegment current() {
    return OF_THREAD.get();
  }
}
