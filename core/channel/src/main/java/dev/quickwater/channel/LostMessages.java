package dev.quickwater.channel;

import org.jspecify.annotations.Nullable;

/// Unreported failures of messages without a promise. Created by the first such failure. Loop
/// thread only.
final class LostMessages {

  /// The first unreported failure.
  @Nullable Throwable failure;

  /// Messages that were written after the channel was closed or broken.
  int lateWrites;
}
