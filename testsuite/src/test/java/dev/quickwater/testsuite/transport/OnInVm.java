package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.InVmAddress;
import java.net.SocketAddress;

/// Runs a topic on the in-VM transport, with loops of NIO.
interface OnInVm extends Transport {
  @Override
  default String transport() {
    return "nio";
  }

  @Override
  default SocketAddress anyAddress() {
    return InVmAddress.any();
  }
}
