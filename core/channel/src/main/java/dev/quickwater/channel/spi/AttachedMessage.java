package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A message whose bytes carry something beside them, such as descriptors over a Unix socket. A
/// transport that knows the kind sends it together with the first byte of the content; any other
/// transport refuses the message.
///
/// **Ownership:** the message owns its content and what is attached. [#close] ends both.
public interface AttachedMessage extends AutoCloseable {

  /// The bytes. On a stream there is at least one.
  ByteBuf content();

  /// The destination on a datagram socket; null for the peer of a connected socket.
  @Nullable SocketAddress remote();

  /// Closes what is attached and not the content: it was sent, or will not be. Any number of times.
  void closeAttachment();

  /// Releases the content and closes what is attached.
  @Override
  default void close() {
    closeAttachment();
    content().release();
  }
}
