package dev.quickwater.channel;

import java.time.Duration;

/// The settings of a group of loops.
///
/// @param loops number of event loops, 1 to 1024
/// @param transport `auto` for the best usable transport, or the name of a transport, which must be
///   usable
/// @param stallLimit how long one event or task may occupy a loop before the watchdog reports it;
///   zero for no reports
public record LoopSettings(int loops, String transport, Duration stallLimit) {

  /// One second: far above the time of an event, far below the patience of a peer.
  public static final Duration STALL_LIMIT = Duration.ofSeconds(1);

  /// One loop per processor, the best transport.
  public static final LoopSettings DEFAULT =
      new LoopSettings(Runtime.getRuntime().availableProcessors(), "auto");

  /// Checks the values.
  public LoopSettings {
    if (loops < 1 || loops > 1024) {
      throw new IllegalArgumentException("loops is " + loops + ", expected 1 to 1024");
    }
    if (transport.isBlank()) {
      throw new IllegalArgumentException("transport is empty, expected auto or a name");
    }
    if (stallLimit.isNegative()) {
      throw new IllegalArgumentException("stallLimit is " + stallLimit + ", expected zero or more");
    }
  }

  /// Settings with a stall limit of one second.
  public LoopSettings(int loops, String transport) {
    this(loops, transport, STALL_LIMIT);
  }

  /// These settings with another number of loops.
  public LoopSettings withLoops(int count) {
    return new LoopSettings(count, transport, stallLimit);
  }

  /// These settings with another transport.
  public LoopSettings withTransport(String name) {
    return new LoopSettings(loops, name, stallLimit);
  }

  /// These settings with another stall limit.
  public LoopSettings withStallLimit(Duration limit) {
    return new LoopSettings(loops, transport, limit);
  }
}
