package dev.quickwater.channel;

import dev.quickwater.channel.spi.IoPoller;

/// A poller without I/O, for loops whose channels connect within the process.
final class IdlePoller implements IoPoller {

  @Override
  public void poll(long nanos, Runnable awake) {
    awake.run();
  }

  @Override
  public void wakeup() {}

  @Override
  public void close() {}
}
