package dev.quickwater.channel.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A non-blocking listening socket, driven by [ListenerDriver].
public interface ListenerSocket extends ReadinessSocket {

  /// Accepts a connection; null if none waits.
  @Nullable AcceptedSocket accept() throws IOException;
}
