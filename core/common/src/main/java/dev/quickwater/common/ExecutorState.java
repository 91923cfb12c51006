package dev.quickwater.common;

/// The life of an executor.
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
  /// The executor accepts and runs tasks.
  RUNNING,

  /// The executor runs its queued tasks until the limit of its shutdown.
  STOPPING,

  /// The executor runs nothing any more.
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
