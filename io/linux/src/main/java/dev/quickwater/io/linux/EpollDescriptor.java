package dev.quickwater.io.linux;

import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.ReadinessSocket;
import java.io.IOException;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A socket on epoll. The socket itself is the entry in the table of its poller: a separate entry
/// would cost each idle connection 32 bytes.
///
/// The poller assigns the slot and the generation. Loop thread only, except where a socket states
/// otherwise.
abstract sealed class EpollDescriptor implements ReadinessSocket
    permits EpollSocket, EpollListener, EpollDatagram, UnixDatagram {

  /// The poller of the socket's loop.
  final EpollPoller poller;

  final int fd;

  /// The kind, which decides the options that the socket supports.
  final SocketKind kind;

  /// The receiver of the events; null until the socket is registered.
  @Nullable Driver driver;

  /// The index in the poller's table.
  int slot;

  /// Distinguishes successive owners of a slot.
  int generation;

  /// True if the kernel's set contains the descriptor.
  boolean inKernel;

  EpollDescriptor(EpollPoller poller, int fd, SocketKind kind) {
    this.poller = poller;
    this.fd = fd;
    this.kind = kind;
  }

  /// The data of this socket's events; the low half is the slot.
  final long data() {
    return (long) generation << 32 | slot;
  }

  @Override
  public final void interest(int events) throws IOException {
    if (driver != null) {
      poller.interest(this, events);
    }
  }

  @Override
  public final @Nullable IOException pendingError() {
    return SocketOptions.pendingError(poller, fd);
  }

  @Override
  public void close() {
    if (driver != null) {
      poller.unregister(this);
    }
    poller.kernel.close(fd);
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    SocketOptions.set(poller, fd, kind, option, value);
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return SocketOptions.get(poller, fd, kind, option);
  }
}
