package dev.quickwater.channel.invm;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.IoPoller;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/// Chooses the transport by the address: the in-VM transport for an [InVmAddress], the loop's
/// poller for any other address. Channels of both transports share each loop.
public final class InVm {

  private static final AtomicLong UNIQUE = new AtomicLong();

  private InVm() {}

  /// Binds and listens.
  ///
  /// @throws IOException with the address in its message
  public static ChannelIo listen(IoPoller poller, SocketAddress local, ChannelSettings settings)
      throws IOException {
    return local instanceof InVmAddress address
        ? InVmListener.open(address, settings)
        : poller.listen(local, settings);
  }

  /// Opens an unconnected transport for addresses like `remote`.
  public static ConnectingIo openStream(
      IoPoller poller, SocketAddress remote, ChannelSettings settings) throws IOException {
    return remote instanceof InVmAddress ? new InVmIo() : poller.openStream(remote, settings);
  }

  /// An address that no other call of this method returns. A program may have chosen its name.
  static InVmAddress uniqueAddress() {
    return InVmAddress.of("#" + UNIQUE.incrementAndGet());
  }

  /// True for [InVmAddress#any].
  static boolean isAny(InVmAddress address) {
    return address.name().isEmpty();
  }
}
