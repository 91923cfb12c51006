package dev.quickwater.channel.nio;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Rules of the JDK's Unix sockets that TCP sockets do not have.
final class NioUnix {

  private NioUnix() {}

  /// True for the address of a path.
  ///
  /// @throws UnsupportedOperationException for an abstract name, which the JDK does not support
  static boolean takes(@Nullable SocketAddress address) {
    if (address instanceof AbstractUnixAddress) {
      throw new UnsupportedOperationException(
          "NIO has no abstract names of Unix sockets, such as " + address + "; epoll has");
    }
    return address instanceof UnixDomainSocketAddress;
  }

  /// Checks options before a connection exists that they would break.
  ///
  /// @throws UnsupportedOperationException with the name of an option that Unix sockets do not
  ///   support
  static void validate(ChannelSettings settings) throws IOException {
    if (settings.sockets().options().isEmpty()) {
      return;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      for (SocketOption<?> option : settings.sockets().options().keySet()) {
        if (!probe.supportedOptions().contains(option)) {
          throw new UnsupportedOperationException(
              "a Unix socket of NIO does not take the option "
                  + option.name()
                  + "; ChannelSettings.UNIX has no options");
        }
      }
    }
  }

  /// The reason of a failed bind. The file of a path stays after its socket is closed. It is never
  /// deleted here: it may belong to another process, or be no socket.
  static @Nullable String reason(SocketAddress local, Exception failure) {
    if (!(local instanceof UnixDomainSocketAddress unix)) {
      return failure.getMessage();
    }
    BasicFileAttributes attributes;
    try {
      attributes =
          Files.readAttributes(
              unix.getPath(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException _) {
      return failure.getMessage(); // the path does not exist: it was not in the way
    }
    if (!attributes.isOther()) {
      return "the path exists and is no socket";
    }
    return isDead(unix)
        ? "the path exists, but no process listens on its socket; delete the file if it was left"
            + " behind"
        : "another socket is bound to the path";
  }

  /// Non-blocking, because the backlog of an open socket may be full.
  private static boolean isDead(UnixDomainSocketAddress address) {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false);
      probe.connect(address);
      return false;
    } catch (ConnectException _) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
