package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A non-blocking stream socket; [StreamDriver] is the transport on it.
public interface StreamSocket extends ReadinessSocket {

  /// Reads into the free space of `target`.
  ///
  /// @return bytes read, 0 if there are none now, -1 at the end of the stream
  int read(ByteBuf target) throws IOException;

  /// The message for the bytes that [#read] has just read: the buffer itself, unless something came
  /// with them. The caller owns the buffer if this throws.
  default Object received(ByteBuf bytes) {
    return bytes;
  }

  /// True if [#write] sends messages of this kind.
  default boolean takes(AttachedMessage message) {
    return false;
  }

  /// Sends from the front of what is flushed, in one call to the kernel, and reports it with
  /// [StreamOutput#progress].
  ///
  /// @return true if the kernel took everything that it was offered, false if it would block now
  boolean write(StreamOutput output) throws IOException;

  /// Starts to connect.
  ///
  /// @return true if the connection is up already
  boolean connect(SocketAddress remote, @Nullable SocketAddress local) throws IOException;

  /// True if the last [#connect] found the peer's backlog full. The kernel does not report when
  /// there is room again: the driver connects again later.
  default boolean isBacklogFull() {
    return false;
  }

  /// Completes a connect whose socket became writable, or throws the reason of its failure.
  void finishConnect() throws IOException;

  /// Ends our direction.
  void shutdownOutput() throws IOException;
}
