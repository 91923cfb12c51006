package dev.quickwater.microbench.channel;

import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ReadinessSocket;
import org.jspecify.annotations.Nullable;

/// A poller without a kernel: each poll finds its driver, if it has one, ready to be read.
final class NoPoller implements IoPoller {

  @Nullable Driver readable;

  @Override
  public void poll(long nanos, Runnable awake) {
    awake.run();
    if (readable != null) {
      readable.ready(ReadinessSocket.READ);
    }
  }

  @Override
  public void wakeup() {}

  @Override
  public void close() {}
}
