package dev.quickwater.http2;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts how often peers exceeded a budget ([BudgetSettings]), on all connections whose handlers
/// share this object. All methods may be called on any thread.
public final class BudgetTrips {

  private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

  /// An object whose counts are zero.
  public BudgetTrips() {}

  /// A peer has exceeded a budget.
  ///
  /// @param setting the component of [BudgetSettings]
  void add(String setting) {
    counts.computeIfAbsent(setting, _ -> new LongAdder()).increment();
  }

  /// How often each budget was exceeded, by the component of [BudgetSettings], for example
  /// `resets.streams`. Budgets that were never exceeded are absent. The map is a snapshot.
  public Map<String, Long> counts() {
    Map<String, Long> snapshot = new TreeMap<>();
    counts.forEach((setting, count) -> snapshot.put(setting, count.sum()));
    return snapshot;
  }

  @Override
  public String toString() {
    return counts().toString();
  }
}
