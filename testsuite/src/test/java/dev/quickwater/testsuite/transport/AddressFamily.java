package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;

/// The source of addresses and raw peers for a class of the suite.
enum AddressFamily {

  /// TCP on the loopback address.
  TCP {
    @Override
    SocketAddress freeAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    ChannelSettings adapt(ChannelSettings settings) {
      return settings;
    }

    @Override
    Socket socket() {
      return new Socket();
    }

    @Override
    ServerSocket server() throws IOException {
      return new ServerSocket();
    }
  },

  /// Unix sockets with a path.
  UNIX {
    @Override
    SocketAddress freeAddress() {
      return UnixPaths.free();
    }

    @Override
    ChannelSettings adapt(ChannelSettings settings) {
      return UnixPeer.withoutTcpOptions(settings);
    }

    @Override
    Socket socket() {
      return new UnixPeer();
    }

    @Override
    ServerSocket server() throws IOException {
      return new UnixPeer.Server();
    }
  };

  /// An address to listen on.
  abstract SocketAddress freeAddress();

  /// Settings that sockets of this family support.
  abstract ChannelSettings adapt(ChannelSettings settings);

  /// An unconnected raw socket.
  abstract Socket socket();

  /// An unbound raw listening socket.
  abstract ServerSocket server() throws IOException;

  /// A raw connection.
  final Socket connect(SocketAddress to) throws IOException {
    Socket socket = socket();
    try {
      socket.connect(to);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }
}
