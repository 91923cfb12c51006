package dev.quickwater.io.linux;

import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.TransportProvider;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.system.Linkage;
import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.Platform;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The epoll transport, for Linux on x86-64 and aarch64 with native access.
public final class EpollProvider implements TransportProvider {

  /// Called by the service loader.
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
    if (!Platform.LINUX) {
      return "epoll is a part of Linux, this is " + Platform.SYSTEM;
    }
    if (!Platform.AMD64 && !Platform.AARCH64) {
      return "epoll is supported on amd64 and aarch64, this is " + Platform.MACHINE;
    }
    if (!NativeAccess.enabled()) {
      return NativeAccess.reason();
    }
    return Linkage.has("epoll_create1") ? null : "the C library has no epoll_create1";
  }

  @Override
  public IoPoller openPoller() throws IOException {
    NativeKernel.prepareForShortage();
    return EpollPoller.open(new NativeLinuxKernel());
  }
}
