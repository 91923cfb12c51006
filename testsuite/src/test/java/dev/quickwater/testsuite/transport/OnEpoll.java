package dev.quickwater.testsuite.transport;

/// Runs a topic on epoll.
interface OnEpoll extends Transport {
  @Override
  default String transport() {
    return "epoll";
  }
}
