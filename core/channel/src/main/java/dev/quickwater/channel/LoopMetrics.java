package dev.quickwater.channel;

/// Figures of one event loop since it started.
///
/// @param name the thread's name
/// @param channels channels open now
/// @param turns how often it went round
/// @param busyNanos nanoseconds it spent on events and tasks, not waiting
/// @param usedBytes bytes of buffers held now
/// @param reservedBytes bytes of slabs
public record LoopMetrics(
    String name, int channels, long turns, long busyNanos, long usedBytes, long reservedBytes) {}
