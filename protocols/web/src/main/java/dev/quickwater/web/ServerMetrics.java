package dev.quickwater.web;

import dev.quickwater.channel.LoopMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Figures of a server.
///
/// @param uptime the time since the server began to listen
/// @param connections open connections
/// @param requests figures of the exchanges
/// @param budgetTrips how often peers exceeded a budget of HTTP/2, by the component of
///   [dev.quickwater.http2.BudgetSettings], for example `resets.streams`; budgets that were never
///   exceeded are absent
/// @param loops figures of each event loop
public record ServerMetrics(
    Duration uptime,
    int connections,
    RequestMetrics requests,
    Map<String, Long> budgetTrips,
    List<LoopMetrics> loops) {}
