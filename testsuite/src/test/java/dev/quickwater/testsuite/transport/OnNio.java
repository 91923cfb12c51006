package dev.quickwater.testsuite.transport;

/// Runs a topic on NIO.
interface OnNio extends Transport {
  @Override
  default String transport() {
    return "nio";
  }
}
