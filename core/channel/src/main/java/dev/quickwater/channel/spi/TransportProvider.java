package dev.quickwater.channel.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A kind of transport, found as a service. Any thread.
public interface TransportProvider {

  /// The name that settings choose it by, lower case: `epoll`.
  String name();

  /// Among usable transports the one with the highest value is chosen; NIO has 0.
  int preference();

  /// Null when the transport works here, otherwise one sentence that says why not.
  @Nullable String unusableReason();

  /// Opens the poller of one loop.
  IoPoller openPoller() throws IOException;
}
