package dev.quickwater.channel.nio;

import dev.quickwater.channel.spi.ReadinessSocket;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;

/// Methods common to the sockets of NIO.
interface NioEndpoint extends ReadinessSocket {

  /// The JDK's channel.
  NetworkChannel channel();

  @Override
  default void close() {
    closeQuietly(channel());
  }

  @Override
  default @Nullable SocketAddress localAddress() {
    try {
      return channel().getLocalAddress();
    } catch (IOException _) {
      return null;
    }
  }

  @Override
  default <T> void setOption(SocketOption<T> option, T value) throws IOException {
    channel().setOption(option, value);
  }

  @Override
  default <T> T getOption(SocketOption<T> option) throws IOException {
    return channel().getOption(option);
  }

  /// Sets an option of channel settings.
  @SuppressWarnings("unchecked") // ChannelSettings pairs an option with a value of its type
  static <T> void set(NetworkChannel channel, SocketOption<T> option, Object value)
      throws IOException {
    channel.setOption(option, (T) value);
  }

  /// Closes a channel and ignores a failure.
  static void closeQuietly(NetworkChannel channel) {
    try {
      channel.close();
    } catch (IOException _) {
      // the descriptor is closed either way, and no caller could do anything about it
    }
  }
}
