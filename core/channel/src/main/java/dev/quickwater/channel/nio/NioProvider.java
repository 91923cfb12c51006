package dev.quickwater.channel.nio;

import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.TransportProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The NIO transport; works everywhere.
public final class NioProvider implements TransportProvider {

  /// For the choice of a transport.
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
