package dev.quickwater.channel.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A non-blocking listening socket; [ListenerDriver] is the transport on it.
public interface ListenerSocket extends ReadinessSocket {

  /// Accepts a connection; null if there is none now.
  @Nullable AcceptedSocket accept() throws IOException;
}
