package dev.quickwater.channel.spi;

import dev.quickwater.buffer.Payload;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/// The attached messages of an output. The key is the content, which is what the output queues.
/// Created by the first attached message.
final class Attachments {

  private static final System.Logger LOG = System.getLogger(Attachments.class.getName());

  private final IdentityHashMap<Object, AttachedMessage> messages = new IdentityHashMap<>(4);

  void add(AttachedMessage message) {
    messages.put(message.content(), message);
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  @Nullable AttachedMessage of(Payload content) {
    return messages.get(content);
  }

  /// Closes the attachment of a content, if it has one.
  void drop(Payload content) {
    @Nullable AttachedMessage message = messages.remove(content);
    if (message != null) {
      close(message);
    }
  }

  void dropAll() {
    for (AttachedMessage message : messages.values()) {
      close(message);
    }
    messages.clear();
  }

  private static void close(AttachedMessage message) {
    try {
      message.closeAttachment();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "closing what was attached to a message failed", e);
    }
  }
}
