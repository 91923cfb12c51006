package dev.quickwater.io.posix.socket;

import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.ReadinessSocket;
import java.io.IOException;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A socket and its descriptor. The socket itself is the entry in the table of its poller
/// ([SocketTable]): a separate entry would cost each idle connection 32 bytes.
///
/// The public methods are for the poller. Loop thread only, except where a socket states otherwise.
public abstract sealed class SocketDescriptor implements ReadinessSocket
    permits PosixSocket, PosixListener, PosixDatagram, UnixDatagram {

  /// The sockets of the loop, and what they share.
  final LoopSockets sockets;

  final int fd;

  /// The kind, which decides the options that the socket supports.
  final SocketKind kind;

  /// The receiver of the events; null until the socket is registered.
  @Nullable Driver driver;

  /// The index in the poller's table.
  int slot;

  /// Distinguishes successive owners of a slot.
  int generation;

  private boolean watched;

  SocketDescriptor(LoopSockets sockets, int fd, SocketKind kind) {
    this.sockets = sockets;
    this.fd = fd;
    this.kind = kind;
  }

  // ---- for the poller ----

  public final int fd() {
    return fd;
  }

  /// The receiver of the events.
  ///
  /// @throws IllegalStateException if the socket is not registered
  public final Driver driver() {
    if (driver == null) {
      throw new IllegalStateException("the socket is not registered");
    }
    return driver;
  }

  /// The data of this socket's events, from [SocketTable]; the low half is the slot.
  public final long data() {
    return (long) generation << 32 | slot;
  }

  /// True if the kernel's set contains the descriptor.
  public final boolean isWatched() {
    return watched;
  }

  /// Records whether the kernel's set contains the descriptor.
  public final void watched(boolean inKernel) {
    watched = inKernel;
  }

  /// True if other descriptors of the same socket may be open, here or in another process. A
  /// kernel's set may then keep the socket after its descriptor is closed.
  public final boolean mayHaveDuplicates() {
    return sockets.mayHaveDuplicates(fd);
  }

  // ---- for the driver ----

  @Override
  public final void interest(int events) throws IOException {
    if (driver != null) {
      sockets.poller.interest(this, events);
    }
  }

  @Override
  public final @Nullable IOException pendingError() {
    return SocketOptions.pendingError(sockets, fd);
  }

  @Override
  public void close() {
    if (driver != null) {
      sockets.deregister(this);
    }
    sockets.kernel.close(fd);
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    SocketOptions.set(sockets, fd, kind, option, value);
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return SocketOptions.get(sockets, fd, kind, option);
  }
}
