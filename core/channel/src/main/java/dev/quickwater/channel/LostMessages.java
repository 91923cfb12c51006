package dev.quickwater.channel;

import org.jspecify.annotations.Nullable;

/// Failures of messages without promise that the handlers have not seen. Exists in channels that
/// had one. Loop thread only.
final class LostMessages {

  /// The first failure that is not reported yet.
  @Nullable Throwable failure;

  /// Messages that were written after the channel was closed or broken.
  int lateWrites;
}
