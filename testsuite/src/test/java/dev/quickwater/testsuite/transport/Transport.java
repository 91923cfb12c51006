package dev.quickwater.testsuite.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// The transport of a class of the suite.
interface Transport {

  /// The name for settings.
  String transport();

  /// The address for listening on a chosen port or name.
  default SocketAddress anyAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// The address family of its connections.
  default AddressFamily family() {
    return AddressFamily.TCP;
  }
}
