package dev.quickwater.channel;

import dev.quickwater.buffer.ByteBuf;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A message of a datagram channel.
///
/// **Ownership:** the datagram owns its content. The receiver of a datagram closes it, passes it
/// on, or takes ownership of [#content].
///
/// @param content the bytes: the readable ones of an outgoing datagram
/// @param remote the sender of an incoming datagram, or the destination of an outgoing one; null
///   for the peer of a connected channel
/// @param local the local address that the datagram was sent to, if the channel reports it
/// @param segmentSize 0 for one datagram. Otherwise the content is several datagrams of this many
///   bytes; the last may be shorter. The kernel splits an outgoing message if it can, otherwise the
///   transport does.
/// @param truncated true if the datagram was longer than the transport could receive; the rest is
///   lost
public record Datagram(
    ByteBuf content,
    @Nullable SocketAddress remote,
    @Nullable SocketAddress local,
    int segmentSize,
    boolean truncated)
    implements AutoCloseable {

  /// @throws IllegalArgumentException if the segment size is negative or above 65,535
  public Datagram {
    if (segmentSize < 0 || segmentSize > 0xffff) {
      throw new IllegalArgumentException(
          "segmentSize is " + segmentSize + ", expected 0 to 65,535");
    }
  }

  /// One datagram to or from an address.
  public Datagram(ByteBuf content, SocketAddress remote) {
    this(content, remote, null, 0, false);
  }

  /// Several datagrams of `segmentSize` bytes to one address.
  public static Datagram segments(ByteBuf content, SocketAddress remote, int segmentSize) {
    return new Datagram(content, remote, null, segmentSize, false);
  }

  /// Releases the content.
  @Override
  public void close() {
    content.release();
  }
}
