package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.IoPoller;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The I/O of a loop that waits for the readiness of POSIX sockets: what epoll, kqueue and poll(2)
/// do in different ways. The sockets are the same for all ([LoopSockets]).
///
/// - **Level-triggered:** an event is delivered in each poll for as long as the socket is ready for
///   a requested event.
/// - **Errors** (a reset, both directions ended) go to [dev.quickwater.channel.spi.Driver#broken],
///   even if no event is requested. If `broken` returns false, the poller ignores the socket until
///   the next [#interest].
/// - A socket that is deregistered while events are delivered receives none of the rest.
/// - Loop thread only, except where [IoPoller] states otherwise.
public interface Poller extends IoPoller {

  /// The sockets of this poller.
  LoopSockets sockets();

  /// Adds a socket, whose [SocketDescriptor#driver] receives its events. None is requested yet.
  void register(SocketDescriptor socket);

  /// Sets the requested events of a registered socket, a mask of
  /// [dev.quickwater.channel.spi.ReadinessSocket#READ] and
  /// [dev.quickwater.channel.spi.ReadinessSocket#WRITE]. If this throws, the previous mask applies.
  void interest(SocketDescriptor socket, int events) throws IOException;

  /// Removes a socket, whose descriptor is closed next. If [SocketDescriptor#mayHaveDuplicates] is
  /// true, closing does not remove it from a kernel's set.
  void deregister(SocketDescriptor socket);

  @Override
  default ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException {
    return sockets().listen(local, settings);
  }

  @Override
  default ConnectingIo openStream(SocketAddress remote, ChannelSettings settings)
      throws IOException {
    return sockets().openStream(remote, settings);
  }

  @Override
  default ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    return sockets().openDatagram(local, remote, settings);
  }

  @Override
  default FileSource openFile(Path path) throws IOException {
    return sockets().openFile(path);
  }

  @Override
  default FileSource openFile(Path root, String relative) throws IOException {
    return sockets().openFile(root, relative);
  }
}
