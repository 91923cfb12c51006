package dev.quickwater.microbench.e2e.server;

import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.nio.ByteOrder;

/// The set-up calls of the bare loop, away from its hot path.
final class BareSockets {

  static final int AF_INET = 2;
  static final int SOCK_STREAM = 1;
  static final int SOCK_CLOEXEC = 0x80000;

  private static final int SOL_SOCKET = 1;
  private static final int SO_REUSEADDR = 2;
  private static final int TCP = 6;
  private static final int TCP_NODELAY = 1;
  private static final int BACKLOG = 1024;
  private static final int ADDRESS_LENGTH = 16;

  private final LinuxKernel kernel;
  private final long scratch;

  /// `scratch` has room for 32 bytes.
  BareSockets(LinuxKernel kernel, long scratch) {
    this.kernel = kernel;
    this.scratch = scratch;
  }

  /// A listening socket on the loopback address.
  int listen(int port) throws IOException {
    int fd = check("socket", kernel.socket(AF_INET, SOCK_STREAM, 0));
    enable(fd, SOL_SOCKET, SO_REUSEADDR);
    Memory.fill(scratch, ADDRESS_LENGTH, (byte) 0);
    putNativeShort(AF_INET);
    Memory.putShort(scratch, 2, (short) port);
    Memory.putInt(scratch, 4, 0x7f000001);
    check("bind", kernel.bind(fd, scratch, ADDRESS_LENGTH));
    check("listen", kernel.listen(fd, BACKLOG));
    return fd;
  }

  int port(int fd) throws IOException {
    Memory.putIntLE(scratch, ADDRESS_LENGTH, ADDRESS_LENGTH);
    check("getsockname", kernel.getsockname(fd, scratch, scratch + ADDRESS_LENGTH));
    return Memory.getShort(scratch, 2) & 0xffff;
  }

  void noDelay(int fd) {
    enable(fd, TCP, TCP_NODELAY);
  }

  private void enable(int fd, int level, int option) {
    Memory.putIntLE(scratch, 0, 1);
    kernel.setsockopt(fd, level, option, scratch, 4);
  }

  private void putNativeShort(int value) {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new UnsupportedOperationException("the bare loop runs on little-endian machines");
    }
    Memory.putShortLE(scratch, 0, (short) value);
  }

  static int check(String call, int result) throws IOException {
    if (result < 0) {
      throw Errno.failure(call, result);
    }
    return result;
  }
}
