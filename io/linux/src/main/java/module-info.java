/// Transports of Linux: epoll.
module dev.quickwater.io.linux {
  requires transitive dev.quickwater.channel;
  requires dev.quickwater.io.posix;
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  provides dev.quickwater.channel.spi.TransportProvider with
      dev.quickwater.io.linux.EpollProvider;
}
