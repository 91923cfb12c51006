package dev.quickwater.io.linux;

import dev.quickwater.io.posix.SocketAddresses;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// System calls on behalf of any thread, one at a time: a poller's own kernel is its loop's alone.
final class OffLoopCalls {

  private static final NativeLinuxKernel KERNEL = new NativeLinuxKernel();
  private static final Scratch SCRATCH = Scratch.forEver();

  private OffLoopCalls() {}

  /// Null when the socket has none any more.
  static synchronized @Nullable SocketAddress local(int fd) {
    Scratch.putInt(SCRATCH.length, SocketAddresses.SIZE);
    int result = KERNEL.getsockname(fd, SCRATCH.address, SCRATCH.length);
    return result < 0 ? null : SocketAddresses.decode(SCRATCH.address);
  }

  static synchronized void close(int fd) {
    KERNEL.close(fd);
  }
}
