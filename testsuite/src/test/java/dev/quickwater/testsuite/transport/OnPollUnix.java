package dev.quickwater.testsuite.transport;

/// Runs a topic on Unix sockets of `io/posix` with poll(2).
interface OnPollUnix extends OnPoll {
  @Override
  default AddressFamily family() {
    return AddressFamily.UNIX;
  }
}
