package dev.quickwater.testsuite.transport;

/// Runs a topic on the sockets of `io/posix` with poll(2).
interface OnPoll extends Transport {
  @Override
  default String transport() {
    return "poll";
  }
}
