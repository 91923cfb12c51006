package dev.quickwater.web;

import dev.quickwater.channel.LoopMetrics;
import java.time.Duration;
import java.util.List;

/// Figures of a server.
///
/// @param uptime since it listens
/// @param connections open connections
/// @param requests of its exchanges
/// @param loops of its event loops
public record ServerMetrics(
    Duration uptime, int connections, RequestMetrics requests, List<LoopMetrics> loops) {}
