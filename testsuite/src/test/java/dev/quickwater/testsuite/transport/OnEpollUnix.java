package dev.quickwater.testsuite.transport;

/// Runs a topic on Unix sockets of epoll.
interface OnEpollUnix extends OnEpoll {
  @Override
  default AddressFamily family() {
    return AddressFamily.UNIX;
  }
}
