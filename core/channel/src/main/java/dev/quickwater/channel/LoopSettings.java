package dev.quickwater.channel;

/// How many loops on which transport.
///
/// @param loops number of event loops, 1 to 1024
/// @param transport `auto` for the best that works here, or a transport's name, which then must
///   work
public record LoopSettings(int loops, String transport) {

  /// One loop a processor, the best transport.
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
  }

  /// These settings with another number of loops.
  public LoopSettings withLoops(int count) {
    return new LoopSettings(count, transport);
  }

  /// These settings with another transport.
  public LoopSettings withTransport(String name) {
    return new LoopSettings(loops, name);
  }
}
