package dev.quickwater.channel.invm;

import dev.quickwater.channel.spi.Messages;
import org.jspecify.annotations.Nullable;

/// A linked list of messages. Moving all messages to another list takes constant time. One thread
/// at a time.
final class MessageList {

  private @Nullable Message first;
  private @Nullable Message last;

  boolean isEmpty() {
    return first == null;
  }

  @Nullable Message first() {
    return first;
  }

  void add(Message message) {
    append(message, message);
  }

  /// Moves all messages of `other` to the end of this list.
  void addAll(MessageList other) {
    @Nullable Message otherFirst = other.first;
    @Nullable Message otherLast = other.last;
    if (otherFirst != null && otherLast != null) {
      append(otherFirst, otherLast);
      other.first = null;
      other.last = null;
    }
  }

  private void append(Message from, Message to) {
    if (last == null) {
      first = from;
    } else {
      last.next = from;
    }
    last = to;
  }

  @Nullable Message poll() {
    @Nullable Message taken = first;
    if (taken != null) {
      first = taken.next;
      taken.next = null; // a link would keep younger messages reachable
      if (first == null) {
        last = null;
      }
    }
    return taken;
  }

  /// Releases all messages, whose promises have completed.
  void discard() {
    @Nullable Message message;
    while ((message = poll()) != null) {
      Messages.discard(message.content);
    }
  }
}
