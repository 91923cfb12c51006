package dev.quickwater.channel.spi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// A non-blocking datagram socket, driven by [DatagramDriver].
public interface DatagramSocket extends ReadinessSocket {

  /// Receives datagrams and passes each to [ChannelEvents#received], which may close the socket or
  /// stop reading ([ChannelEvents#isReading]).
  ///
  /// @param max maximum number of datagrams
  /// @return true if there may be more
  /// @throws IOException if the socket reports a failure, possibly of an earlier send; the socket
  ///   stays usable
  boolean receive(ChannelEvents events, int max) throws IOException;

  /// True if the socket keeps received datagrams because the channel has stopped reading. The next
  /// [#receive] delivers them first.
  default boolean hasReceived() {
    return false;
  }

  /// True if [#send] supports the attachment of `message`.
  default boolean supports(AttachedMessage message) {
    return false;
  }

  /// Sends flushed datagrams in order, and reports each with [DatagramOutput#sent] or
  /// [DatagramOutput#fail].
  ///
  /// @return true if the kernel took or refused everything offered; false if the socket would block
  boolean send(DatagramOutput output) throws IOException;

  /// Joins a multicast group on an interface, for one source or, if `source` is null, for all.
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
