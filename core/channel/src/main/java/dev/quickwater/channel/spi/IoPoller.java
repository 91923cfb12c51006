package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The I/O side of one event loop. All methods but [#wakeup] are for the loop's thread. A poller
/// whose loop has no sockets overrides no method that opens one.
public interface IoPoller {

  /// Waits for events for at most `nanos` (0: not at all, `Long.MAX_VALUE`: until woken), runs
  /// `awake`, and delivers the events to their channels before it returns. May return early.
  /// `awake` runs once in each call, before the first event: it updates the loop's time.
  void poll(long nanos, Runnable awake);

  /// Makes a [#poll] that blocks, or the next one, return. Any thread.
  void wakeup();

  /// Binds and listens.
  ///
  /// @throws IOException naming the address
  default ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException {
    throw noSockets();
  }

  /// A stream socket that is not connected, of the address family of `remote`.
  default ConnectingIo openStream(SocketAddress remote, ChannelSettings settings)
      throws IOException {
    throw noSockets();
  }

  /// A datagram socket that is bound to `local`, or connected to `remote`, or both; at least one of
  /// them is not null.
  ///
  /// @throws IOException naming the address
  default ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    throw noSockets();
  }

  private static UnsupportedOperationException noSockets() {
    return new UnsupportedOperationException("this loop has no sockets of this kind");
  }

  /// Opens a file in the way that this transport sends best. A symbolic link as the last element of
  /// the path is refused.
  default FileSource openFile(Path path) throws IOException {
    throw new UnsupportedOperationException("this loop opens no files");
  }

  /// Opens a file below a folder. Links that stay below the folder are followed. What is opened is
  /// below the folder even if another process replaces folders by links in the meantime. Any
  /// thread.
  ///
  /// @param root a real path ([Path#toRealPath])
  /// @throws java.nio.file.NoSuchFileException if there is no such file, or it is not below `root`
  default FileSource openFile(Path root, String relative) throws IOException {
    return ChannelFileSource.open(root, relative);
  }

  /// Frees the poller itself; no channel is left.
  void close();

  /// A failure of a channel that none of its handlers took, after it was logged. For transports of
  /// tests; others ignore it.
  default void unhandled(Throwable cause) {}
}
