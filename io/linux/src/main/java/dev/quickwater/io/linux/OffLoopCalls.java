package dev.quickwater.io.linux;

import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import dev.quickwater.io.posix.SocketAddresses;
import dev.quickwater.io.posix.UnixAddresses;
import java.lang.foreign.Arena;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// System calls on sockets by threads other than the loop's. They must not use the poller's memory.
/// Any thread, any number at a time.
final class OffLoopCalls {

  private static final NativeLinuxKernel KERNEL = new NativeLinuxKernel();

  private OffLoopCalls() {}

  /// The local address, or null if the socket has none.
  static @Nullable SocketAddress local(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      long length = arena.allocate(Integer.BYTES, Integer.BYTES).address();
      long address = arena.allocate(UnixAddresses.SIZE, Long.BYTES).address();
      Scratch.putInt(length, UnixAddresses.SIZE);
      int result = KERNEL.getsockname(fd, address, length);
      return result < 0 ? null : SocketAddresses.decode(address, Scratch.getInt(length));
    }
  }

  static LinuxKernel kernel() {
    return KERNEL;
  }

  static void close(int fd) {
    KERNEL.close(fd);
  }
}
