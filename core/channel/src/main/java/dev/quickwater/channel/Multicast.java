package dev.quickwater.channel;

import dev.quickwater.channel.spi.DatagramDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// Membership of datagram channels in multicast groups. Loop only; closing the channel ends all
/// memberships.
public final class Multicast {

  private Multicast() {}

  /// Joins a group on an interface, for one source or, if `source` is null, for all.
  ///
  /// @throws UnsupportedOperationException if the channel is no datagram channel
  public static void join(
      Channel channel, InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    driver(channel).join(group, on, source);
  }

  /// Leaves a group that was joined with the same arguments.
  ///
  /// @throws UnsupportedOperationException if the channel is no datagram channel
  public static void leave(
      Channel channel, InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    driver(channel).leave(group, on, source);
  }

  private static DatagramDriver driver(Channel channel) throws IOException {
    if (channel.openIo() instanceof DatagramDriver driver) {
      return driver;
    }
    throw new UnsupportedOperationException("not a datagram channel: " + channel);
  }
}
