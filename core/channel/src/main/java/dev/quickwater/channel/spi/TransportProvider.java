package dev.quickwater.channel.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A kind of transport, installed as a service. Any thread.
public interface TransportProvider {

  /// The name for settings, in lower case, such as `epoll`.
  String name();

  /// The rank of this transport: the usable transport with the highest value is chosen. NIO has 0.
  int preference();

  /// Null if the transport is usable, otherwise the reason why not, for logs.
  @Nullable String unusableReason();

  /// Opens the poller of one loop.
  IoPoller openPoller() throws IOException;
}
