package dev.quickwater.channel.invm;

import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// A message between two ends, and a link of the [MessageList] that has it.
final class Message {

  final Object content;
  final @Nullable Promise<Void> promise;

  /// What it counts in the account of the end that has written it.
  final long cost;

  @Nullable Message next;

  Message(Object content, @Nullable Promise<Void> promise, long cost) {
    this.content = content;
    this.promise = promise;
    this.cost = cost;
  }
}
