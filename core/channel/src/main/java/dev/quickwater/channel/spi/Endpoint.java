package dev.quickwater.channel.spi;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// The addresses and options of one end of a connection, common to a transport and its socket. The
/// defaults have neither.
public interface Endpoint {

  /// The address that the socket is bound to, or null if the socket is unbound. Any thread.
  default @Nullable SocketAddress localAddress() {
    return null;
  }

  /// The peer's address, or null if there is none. Any thread.
  default @Nullable SocketAddress remoteAddress() {
    return null;
  }

  /// Sets a socket option. Loop thread only.
  ///
  /// @throws UnsupportedOperationException if the transport does not support the option
  default <T> void setOption(SocketOption<T> option, T value) throws IOException {
    throw new UnsupportedOperationException("this transport has no option " + option.name());
  }

  /// Reads a socket option. Loop thread only.
  ///
  /// @throws UnsupportedOperationException if the transport does not support the option
  default <T> T getOption(SocketOption<T> option) throws IOException {
    throw new UnsupportedOperationException("this transport has no option " + option.name());
  }
}
