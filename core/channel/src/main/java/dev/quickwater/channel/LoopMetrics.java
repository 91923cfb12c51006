package dev.quickwater.channel;

/// Figures of one event loop.
///
/// @param name the thread's name
/// @param channels channels open now
/// @param turns turns since the loop started
/// @param busyNanos nanoseconds spent on events and tasks since the loop started, without waiting
/// @param usedBytes bytes that buffers hold now
/// @param reservedBytes bytes of memory that the loop's allocator has reserved, in use or free
public record LoopMetrics(
    String name, int channels, long turns, long busyNanos, long usedBytes, long reservedBytes) {}
