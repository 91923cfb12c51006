package dev.quickwater.testsuite.transport;

/// Runs a topic on Unix sockets of NIO.
interface OnNioUnix extends OnNio {
  @Override
  default AddressFamily family() {
    return AddressFamily.UNIX;
  }
}
