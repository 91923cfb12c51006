package dev.quickwater.io.linux;

import dev.quickwater.channel.spi.ReadinessSocket;
import java.io.IOException;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// What all sockets on epoll do with their descriptor in the same way.
interface EpollDescriptor extends ReadinessSocket {

  /// The poller of the socket's loop.
  EpollPoller poller();

  int fd();

  /// What decides which options the socket has.
  SocketKind kind();

  /// The entry in the poller's table; null until the socket is registered.
  EpollPoller.@Nullable Registration registration();

  @Override
  default void interest(int events) throws IOException {
    EpollPoller.@Nullable Registration registered = registration();
    if (registered != null) {
      poller().interest(registered, events);
    }
  }

  @Override
  default @Nullable IOException pendingError() {
    return SocketOptions.pendingError(poller(), fd());
  }

  @Override
  default void close() {
    EpollPoller.@Nullable Registration registered = registration();
    if (registered != null) {
      poller().unregister(registered);
    }
    poller().kernel.close(fd());
  }

  @Override
  default <T> void setOption(SocketOption<T> option, T value) throws IOException {
    SocketOptions.set(poller(), fd(), kind(), option, value);
  }

  @Override
  default <T> T getOption(SocketOption<T> option) throws IOException {
    return SocketOptions.get(poller(), fd(), kind(), option);
  }
}
