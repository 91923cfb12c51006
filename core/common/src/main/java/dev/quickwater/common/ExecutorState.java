package dev.quickwater.common;

/// Where an executor is in its life.
///
/// ```
/// RUNNING --shutdown--> STOPPING --nothing left, or the limit has passed--> ENDED
/// ```
///
/// | in state | `execute`, `schedule`, `submit` elsewhere | the same on the loop | `dispatch` | timers |
/// |---|---|---|---|---|
/// | RUNNING | taken | taken | taken | run |
/// | STOPPING | refused | tasks taken, timers cancelled at once | taken | cancelled |
/// | ENDED | refused | tasks refused, timers cancelled at once | runs on the caller's thread | none |
public enum ExecutorState {
  /// It takes tasks and runs them.
  RUNNING,

  /// It runs what it has, for as long as its shutdown may last.
  STOPPING,

  /// Nothing runs any more.
  ENDED;

  /// The state after this one.
  ///
  /// @throws IllegalStateException after the last
  ExecutorState next() {
    return switch (this) {
      case RUNNING -> STOPPING;
      case STOPPING -> ENDED;
      case ENDED -> throw new IllegalStateException("an executor that has ended stays so");
    };
  }
}
