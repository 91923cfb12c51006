package dev.quickwater.microbench.buffer;

import org.openjdk.jmh.annotations.Threads;

/// [AllocatorBenchmark] on two threads at once: do they get in each other's way?
///
/// Each thread has a separate allocator on our side, as event loops have; on Netty's side the
/// allocator tells threads apart.
@Threads(2)
public class ConcurrentAllocatorBenchmark extends AllocatorBenchmark {}
