package dev.quickwater.channel.spi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// A non-blocking datagram socket; [DatagramDriver] is the transport on it.
public interface DatagramSocket extends ReadinessSocket {

  /// Receives datagrams and passes each to [ChannelEvents#received], which may close the socket or
  /// stop reading ([ChannelEvents#isReading]).
  ///
  /// @param max the maximum number
  /// @return true if there may be more
  /// @throws IOException if the socket reports a failure, which may be that of an earlier send; the
  ///   socket stays usable
  boolean receive(ChannelEvents events, int max) throws IOException;

  /// True if datagrams were received and not passed on, because the channel has stopped reading.
  /// The next [#receive] passes them on first.
  default boolean hasReceived() {
    return false;
  }

  /// True if [#send] sends messages of this kind.
  default boolean takes(AttachedMessage message) {
    return false;
  }

  /// Sends from the front of what is flushed, and reports each datagram with [DatagramOutput#sent]
  /// or [DatagramOutput#fail].
  ///
  /// @return true if the kernel took or refused everything that it was offered, false if it would
  ///   block now
  boolean send(DatagramOutput output) throws IOException;

  /// Joins a multicast group on an interface, for one source or, if that is null, for all.
  ///
  /// @throws UnsupportedOperationException if such sockets have no groups
  default void join(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    throw new UnsupportedOperationException("this socket has no multicast groups");
  }

  /// Leaves a group that was joined with the same arguments.
  ///
  /// @throws UnsupportedOperationException if such sockets have no groups
  default void leave(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    throw new UnsupportedOperationException("this socket has no multicast groups");
  }
}
