package dev.quickwater.channel.invm;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.IoPoller;
import java.io.IOException;
import java.net.SocketAddress;

/// Chooses the in-VM transport for an [InVmAddress] and the loop's poller for any other address, so
/// that the channels of each loop can connect in both ways.
public final class InVm {

  private InVm() {}

  /// Binds and listens.
  ///
  /// @throws IOException naming the address
  public static ChannelIo listen(IoPoller poller, SocketAddress local, ChannelSettings settings)
      throws IOException {
    return local instanceof InVmAddress address
        ? InVmListener.open(address, settings)
        : poller.listen(local, settings);
  }

  /// A transport that is not connected, for an address like `remote`.
  public static ConnectingIo openStream(
      IoPoller poller, SocketAddress remote, ChannelSettings settings) throws IOException {
    return remote instanceof InVmAddress ? new InVmIo() : poller.openStream(remote, settings);
  }
}
