package dev.quickwater.channel.spi;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A transport that is not connected yet.
public interface ConnectingIo extends ChannelIo {

  /// Starts to connect: [ChannelEvents#connected] or [ChannelEvents#failed] follows.
  void connect(SocketAddress remote, @Nullable SocketAddress local);
}
