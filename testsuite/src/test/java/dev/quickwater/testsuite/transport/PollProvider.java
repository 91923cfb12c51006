package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.TransportProvider;
import dev.quickwater.system.NativeAccess;
import org.jspecify.annotations.Nullable;

/// Installs the poller of poll(2) for the tests. It is never chosen unless a test names it.
public final class PollProvider implements TransportProvider {

  @Override
  public String name() {
    return "poll";
  }

  @Override
  public int preference() {
    return -1;
  }

  @Override
  public @Nullable String unusableReason() {
    return NativeAccess.enabled() ? null : NativeAccess.reason();
  }

  @Override
  public IoPoller openPoller() {
    return new PollPoller();
  }
}
