package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The I/O of one event loop. All methods except [#wakeup] run on the loop's thread, unless they
/// state otherwise. A poller without sockets overrides none of the methods that open one.
public interface IoPoller {

  /// Waits at most `nanos` for events, then runs `awake` once, then delivers the events to their
  /// channels. `awake` updates the loop's time and runs even if there are no events. With `nanos` 0
  /// the call does not wait; with `Long.MAX_VALUE` it waits until an event or a wake-up. May return
  /// early.
  void poll(long nanos, Runnable awake);

  /// Makes the current or the next [#poll] return. Any thread.
  void wakeup();

  /// Binds and listens.
  ///
  /// @throws IOException with the address in its message
  default ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException {
    throw noSockets();
  }

  /// Opens an unconnected stream socket of the address family of `remote`.
  default ConnectingIo openStream(SocketAddress remote, ChannelSettings settings)
      throws IOException {
    throw noSockets();
  }

  /// Opens a datagram socket that is bound to `local`, connected to `remote`, or both; at least one
  /// is not null.
  ///
  /// @throws IOException with the address in its message
  default ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    throw noSockets();
  }

  private static UnsupportedOperationException noSockets() {
    return new UnsupportedOperationException("this loop has no sockets of this kind");
  }

  /// Opens a file in the form that this transport sends fastest. A symbolic link as the last
  /// element of the path is refused.
  default FileSource openFile(Path path) throws IOException {
    throw new UnsupportedOperationException("this loop opens no files");
  }

  /// Opens a file below a folder. Links are followed if their target is below the folder. The
  /// opened file is below the folder even if another process replaces folders by links at the same
  /// time. Any thread.
  ///
  /// @param root a real path ([Path#toRealPath])
  /// @throws java.nio.file.NoSuchFileException if there is no such file, or it is not below `root`
  default FileSource openFile(Path root, String relative) throws IOException {
    return ChannelFileSource.open(root, relative);
  }

  /// Releases the poller's resources. All channels are closed.
  void close();

  /// Receives a failure that no handler of a channel took, after it was logged. Used by transports
  /// for tests; the default ignores it.
  default void unhandled(Throwable cause) {}

  /// Receives a message that no handler of a channel took. Used by transports for tests.
  ///
  /// @return true if the poller takes ownership; false, the default, if the message is to be
  ///   released
  default boolean unclaimed(Object message) {
    return false;
  }
}
