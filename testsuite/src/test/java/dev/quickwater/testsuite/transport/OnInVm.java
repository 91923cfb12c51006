package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.invm.InVmAddress;
import java.net.SocketAddress;

/// Runs a topic in-VM, on loops of NIO.
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
