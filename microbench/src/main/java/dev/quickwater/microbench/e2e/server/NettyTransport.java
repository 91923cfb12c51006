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
enum NettyTransport {
  NIO(NioServerSocketChannel.class) {
    @Override
    IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }
  },
  EPOLL(EpollServerSocketChannel.class) {
    @Override
    IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }
  },
  IO_URING(IoUringServerSocketChannel.class) {
    @Override
    IoHandlerFactory handlers() {
      return IoUringIoHandler.newFactory();
    }
  };

  final Class<? extends ServerChannel> channel;

  NettyTransport(Class<? extends ServerChannel> channel) {
    this.channel = channel;
  }

  abstract IoHandlerFactory handlers();

  static NettyTransport of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
