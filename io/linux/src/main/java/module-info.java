/// Transports of Linux: epoll. The package has the socket options that only Linux has.
module dev.quickwater.io.linux {
  requires transitive dev.quickwater.channel;
  requires transitive dev.quickwater.io.posix;
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.io.linux;

  provides dev.quickwater.channel.spi.TransportProvider with
      dev.quickwater.io.linux.EpollProvider;
}
