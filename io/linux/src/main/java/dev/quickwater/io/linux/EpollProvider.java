package dev.quickwater.io.linux;

import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.TransportProvider;
import dev.quickwater.system.Linkage;
import dev.quickwater.system.NativeAccess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The epoll transport: Linux on x86-64 and aarch64, with native access.
public final class EpollProvider implements TransportProvider {

  /// For the service loader.
  public EpollProvider() {}

  @Override
  public String name() {
    return "epoll";
  }

  @Override
  public int preference() {
    return 10;
  }

  @Override
  public @Nullable String unusableReason() {
    String system = System.getProperty("os.name");
    if (!system.equals("Linux")) {
      return "epoll is a part of Linux, this is " + system;
    }
    String machine = System.getProperty("os.arch");
    if (!machine.equals("amd64") && !machine.equals("aarch64")) {
      return "epoll is supported on amd64 and aarch64, this is " + machine;
    }
    if (!NativeAccess.enabled()) {
      return NativeAccess.reason();
    }
    return Linkage.has("epoll_create1") ? null : "the C library has no epoll_create1";
  }

  @Override
  public IoPoller openPoller() throws IOException {
    return EpollPoller.open(new NativeLinuxKernel());
  }
}
