package dev.quickwater.io.posix.socket;

import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.gate.UnixAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// System calls that use no memory of a loop. Any thread, any number at a time.
public final class OffLoopCalls {

  private static final NativeKernel KERNEL = new NativeKernel();

  private OffLoopCalls() {}

  /// The local address, or null if the socket has none.
  public static @Nullable SocketAddress local(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      long length = arena.allocate(Integer.BYTES, Integer.BYTES).address();
      long address = arena.allocate(UnixAddresses.SIZE, Long.BYTES).address();
      NativeOrder.putInt(length, UnixAddresses.SIZE);
      int result = KERNEL.getsockname(fd, address, length);
      return result < 0 ? null : SocketAddresses.decode(address, NativeOrder.getInt(length));
    }
  }

  /// A second descriptor of the same file or socket.
  public static int duplicate(int fd) throws IOException {
    int result = KERNEL.fcntl(fd, SocketConstants.F_DUPFD_CLOEXEC, 0);
    if (result < 0) {
      throw Errno.failure("fcntl", result);
    }
    return result;
  }

  public static Kernel kernel() {
    return KERNEL;
  }

  public static void close(int fd) {
    KERNEL.close(fd);
  }
}
