package dev.quickwater.channel.spi;

import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The I/O side of one event loop. All methods but [#wakeup] are for the loop's thread.
public interface IoPoller {

  /// Waits for events for at most `nanos` (0: not at all, `Long.MAX_VALUE`: until woken), runs
  /// `awake`, and delivers the events to their channels before it returns. May return early.
  /// `awake` runs once in each call, before the first event: it is where the loop's time goes on.
  void poll(long nanos, Runnable awake);

  /// Makes a [#poll] that blocks, or the next one, return. Any thread.
  void wakeup();

  /// Binds and listens.
  ///
  /// @throws IOException naming the address
  ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException;

  /// A stream socket that is not connected, of the address family of `remote`.
  ConnectingIo openStream(SocketAddress remote, ChannelSettings settings) throws IOException;

  /// A datagram socket that is bound to `local`, or connected to `remote`, or both; at least one of
  /// them is not null.
  ///
  /// @throws IOException naming the address
  ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException;

  /// Opens a file in the way that this transport sends best. A symbolic link as the last element of
  /// the path is refused.
  FileSource openFile(Path path) throws IOException;

  /// Frees the poller itself; no channel is left.
  void close();

  /// A failure of a channel that none of its handlers took, after it was logged. For transports of
  /// tests; others ignore it.
  default void unhandled(Throwable cause) {}
}
