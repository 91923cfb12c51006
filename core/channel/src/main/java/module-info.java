/// Channels, pipelines and event loops; the NIO, in-VM and embedded transports.
module dev.quickwater.channel {
  requires transitive dev.quickwater.buffer;
  requires transitive dev.quickwater.common;
  requires transitive dev.quickwater.util;
  requires dev.quickwater.system;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.quickwater.channel;
  exports dev.quickwater.channel.embedded;
  exports dev.quickwater.channel.spi;

  uses dev.quickwater.channel.spi.TransportProvider;
}
