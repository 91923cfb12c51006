package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A non-blocking stream socket, driven by [StreamDriver].
public interface StreamSocket extends ReadinessSocket {

  /// Reads into the free space of `target`.
  ///
  /// @return the number of bytes; 0 if none wait, -1 at the end of the stream
  int read(ByteBuf target) throws IOException;

  /// The message for the bytes of the last [#read]: the buffer itself, unless the bytes carried an
  /// attachment. The caller owns the buffer if this throws.
  default Object received(ByteBuf bytes) {
    return bytes;
  }

  /// True if [#write] supports the attachment of `message`.
  default boolean supports(AttachedMessage message) {
    return false;
  }

  /// Sends flushed bytes in order, with one system call, and reports them with
  /// [StreamOutput#progress].
  ///
  /// @return true if the kernel took everything offered; false if the socket would block
  boolean write(StreamOutput output) throws IOException;

  /// Starts to connect.
  ///
  /// @return true if the socket is connected now
  boolean connect(SocketAddress remote, @Nullable SocketAddress local) throws IOException;

  /// True if the last [#connect] found the peer's backlog full. The kernel does not report when
  /// there is room: the driver connects again later.
  default boolean isBacklogFull() {
    return false;
  }

  /// Completes a connect whose socket became writable, or throws the failure.
  void finishConnect() throws IOException;

  /// Ends our direction.
  void shutdownOutput() throws IOException;
}
