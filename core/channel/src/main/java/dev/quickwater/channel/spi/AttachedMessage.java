package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A message whose bytes carry an attachment, such as descriptors over a Unix socket. A transport
/// that supports the attachment sends it together with the first byte of the content; any other
/// transport refuses the message.
///
/// **Ownership:** the message owns its content and its attachment. [#close] releases both.
public interface AttachedMessage extends AutoCloseable {

  /// The bytes; on a stream at least one.
  ByteBuf content();

  /// The destination on a datagram socket; null for the peer of a connected socket.
  @Nullable SocketAddress remote();

  /// Closes the attachment alone, after it was sent or when it cannot be sent. Any number of times.
  void closeAttachment();

  /// Releases the content and closes the attachment.
  @Override
  default void close() {
    closeAttachment();
    content().release();
  }
}
