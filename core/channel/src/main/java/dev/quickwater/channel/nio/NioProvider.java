package dev.quickwater.channel.nio;

import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.TransportProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The NIO transport. Usable on every platform.
public final class NioProvider implements TransportProvider {

  /// Called by the choice of a transport.
  public NioProvider() {}

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public @Nullable String unusableReason() {
    return null;
  }

  @Override
  public IoPoller openPoller() throws IOException {
    return new NioPoller();
  }
}
