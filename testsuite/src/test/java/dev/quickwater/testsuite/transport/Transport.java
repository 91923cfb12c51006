package dev.quickwater.testsuite.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// Which transport a class of the suite runs on.
interface Transport {

  /// The name that settings choose it by.
  String transport();

  /// Where a channel listens that is to choose its address.
  default SocketAddress anyAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// What its connections are made of.
  default AddressFamily family() {
    return AddressFamily.TCP;
  }
}
