package dev.quickwater.microbench.e2e.server;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.Locale;

/// Netty's transports that Linux has.
public enum NettyTransport {
  NIO(NioServerSocketChannel.class) {
    @Override
    public IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }
  },
  EPOLL(EpollServerSocketChannel.class) {
    @Override
    public IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }
  },
  IO_URING(IoUringServerSocketChannel.class) {
    @Override
    public IoHandlerFactory handlers() {
      return IoUringIoHandler.newFactory();
    }
  };

  /// The class of its listening sockets.
  public final Class<? extends ServerChannel> channel;

  NettyTransport(Class<? extends ServerChannel> channel) {
    this.channel = channel;
  }

  /// What an event loop of this transport is made with.
  public abstract IoHandlerFactory handlers();

  /// The transport with a [#label].
  public static NettyTransport of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// As a user types it.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
