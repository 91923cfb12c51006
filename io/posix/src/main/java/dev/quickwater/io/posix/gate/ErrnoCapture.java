package dev.quickwater.io.posix.gate;

import dev.quickwater.common.LoopLocal;
import dev.quickwater.system.Linkage;
import java.lang.foreign.MemorySegment;

/// The memory to which a failed call of the current thread writes errno.
///
/// A capture belongs to a thread, not to a loop, socket or file: these pass between threads, and
/// two threads with the same capture would read each other's errors. The lookup costs a loop thread
/// one array access. The memory is freed after its thread has ended.
final class ErrnoCapture {

  private static final LoopLocal<MemorySegment> OF_THREAD =
      LoopLocal.withInitial("errno capture", Linkage::newCapture);

  private ErrnoCapture() {}

  static MemorySegment current() {
    return OF_THREAD.get();
  }
}
