package dev.quickwater.channel;

import java.io.IOException;

/// Reports messages without a promise that were lost when their channel closed. The cause is the
/// reason of the close.
public final class LostMessagesException extends IOException {

  private static final long serialVersionUID = 1;

  private final int count;

  LostMessagesException(int count, Throwable cause) {
    super(
        count + (count == 1 ? " message was" : " messages were") + " not sent before the close",
        cause);
    this.count = count;
  }

  /// The number of lost messages; each part of a composite buffer counts.
  public int count() {
    return count;
  }
}
