package dev.quickwater.channel.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A non-blocking socket of a readiness transport. Each kind of socket adds what its driver needs:
/// [StreamSocket], [ListenerSocket], [DatagramSocket]. Loop thread only, except for the two
/// addresses.
public interface ReadinessSocket extends Endpoint {

  /// The event mask bit for reading, or accepting.
  int READ = 1;

  /// The event mask bit for writing, or connecting.
  int WRITE = 2;

  /// Sets the requested events, a mask of [#READ] and [#WRITE]. The poller calls [Driver#ready] in
  /// each poll while the socket is ready for one of them. If this throws, the previous mask still
  /// applies.
  void interest(int events) throws IOException;

  /// Reads and clears the socket's pending error; null if there is none. A socket whose kernel
  /// reports errors only to calls has none.
  default @Nullable IOException pendingError() {
    return null;
  }

  /// Closes the socket. Called once.
  void close();
}
