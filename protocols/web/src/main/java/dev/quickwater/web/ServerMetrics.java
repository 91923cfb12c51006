package dev.quickwater.web;

import dev.quickwater.channel.LoopMetrics;
import java.time.Duration;
import java.util.List;

/// Figures of a server.
///
/// @param uptime the time since the server began to listen
/// @param connections open connections
/// @param requests figures of the exchanges
/// @param loops figures of each event loop
public record ServerMetrics(
    Duration uptime, int connections, RequestMetrics requests, List<LoopMetrics> loops) {}
