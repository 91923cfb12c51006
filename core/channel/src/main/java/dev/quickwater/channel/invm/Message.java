package dev.quickwater.channel.invm;

import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// A message between two ends, and a node of the [MessageList] that contains it.
final class Message {

  final Object content;
  final @Nullable Promise<Void> promise;

  /// The cost in the writer's account.
  final long cost;

  @Nullable Message next;

  Message(Object content, @Nullable Promise<Void> promise, long cost) {
    this.content = content;
    this.promise = promise;
    this.cost = cost;
  }
}
