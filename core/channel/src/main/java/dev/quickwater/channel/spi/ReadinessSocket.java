package dev.quickwater.channel.spi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What all non-blocking sockets of readiness transports share. Each kind of socket adds what its
/// driver needs: [StreamSocket], [ListenerSocket]. Loop thread only, except for the two addresses.
public interface ReadinessSocket extends Endpoint {

  /// The event mask bit for reading, or accepting.
  int READ = 1;

  /// The event mask bit for writing, or connecting.
  int WRITE = 2;

  /// Requests readiness events: [Driver#ready] is called while one of them holds. If it throws, the
  /// previous request still holds.
  void interest(int events) throws IOException;

  /// Takes the error that the kernel holds for this socket, or null. A socket whose kernel reports
  /// errors only to calls holds none.
  default @Nullable IOException pendingError() {
    return null;
  }

  /// Closes, once.
  void close();
}
