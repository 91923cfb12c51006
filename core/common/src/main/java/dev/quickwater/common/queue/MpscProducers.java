package dev.quickwater.common.queue;

/// The fields that producers read for each element. They are in a separate class because fields of
/// a superclass come first in memory, here on a cache line that the consumer does not write.
@SuppressWarnings({"unused", "UnusedVariable"})
sealed class MpscProducers permits MpscQueue {

  volatile MpscQueue.Chunk last;

  private long p0, p1, p2, p3, p4, p5, p6, p7;

  MpscProducers(MpscQueue.Chunk first) {
    last = first;
  }
}
