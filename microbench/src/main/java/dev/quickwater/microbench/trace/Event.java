package dev.quickwater.microbench.trace;

/// One step of a trace.
///
/// @param micros when, in microseconds since the trace began
/// @param thread which of the trace's threads does it, from 0
/// @param block which block, from 0; a number is used for one life only
/// @param size requested bytes, 0 to 1 GiB, or [#FREE]
record Event(long micros, int thread, int block, int size) {

  /// Instead of a size: the block is released.
  static final int FREE = -1;

  boolean frees() {
    return size == FREE;
  }
}
