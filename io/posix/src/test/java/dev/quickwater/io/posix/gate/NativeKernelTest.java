package dev.quickwater.io.posix.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a system without the single calls of Linux does in several steps.
final class NativeKernelTest {

  private static final int F_GETFD = 1;

  private final NativeKernel kernel = new NativeKernel();
  private final Arena arena = Arena.ofConfined();
  private final long at = arena.allocate(256, 8).address();
  private final List<Integer> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(kernel::close);
    arena.close();
  }

  private int keep(int fd) {
    assertTrue(fd >= 0, () -> Errno.describe(-fd));
    open.add(fd);
    return fd;
  }

  private void assertPrepared(int fd) {
    assertEquals(SocketConstants.FD_CLOEXEC, kernel.fcntl(fd, F_GETFD, 0));
    int flags = kernel.fcntl(fd, SocketConstants.F_GETFL, 0);
    assertEquals(SocketConstants.O_NONBLOCK, flags & SocketConstants.O_NONBLOCK);
  }

  private int[] pair(int type) {
    assertEquals(0, kernel.socketpair(SocketConstants.AF_UNIX, type, 0, at));
    return new int[] {keep(NativeOrder.getInt(at)), keep(NativeOrder.getInt(at + 4))};
  }

  @Test
  void newSocketsNeitherBlockNorReachOtherPrograms() {
    assertPrepared(keep(kernel.socket(SocketConstants.AF_INET, SocketConstants.SOCK_DGRAM, 0)));
    for (int fd : pair(SocketConstants.SOCK_STREAM)) {
      assertPrepared(fd);
    }
  }

  @Test
  void acceptedSocketNeitherBlocksNorReachesOtherPrograms() {
    int stream = SocketConstants.SOCK_STREAM;
    int server = keep(kernel.socket(SocketConstants.AF_INET, stream, 0));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    int length = SocketAddresses.encode(any, SocketConstants.AF_INET, at);
    assertEquals(0, kernel.bind(server, at, length));
    assertEquals(0, kernel.listen(server, 1));
    assertTrue(Errno.wouldBlock(kernel.accept(server, 0, 0)));
    NativeOrder.putInt(at + 128, SocketAddresses.SIZE);
    assertEquals(0, kernel.getsockname(server, at, at + 128));
    int client = keep(kernel.socket(SocketConstants.AF_INET, stream, 0));
    int result = kernel.connect(client, at, length);
    assertTrue(result == 0 || Errno.connects(result), () -> Errno.describe(-result));
    int accepted = kernel.accept(server, 0, 0);
    while (Errno.wouldBlock(accepted)) {
      Thread.onSpinWait();
      accepted = kernel.accept(server, 0, 0);
    }
    assertPrepared(keep(accepted));
  }

  @Test
  void failureToCreateIsTheErrnoOfTheFirstStep() {
    assertEquals(-Errno.EAFNOSUPPORT, kernel.socket(99, SocketConstants.SOCK_STREAM, 0));
    assertEquals(-Errno.EBADF, kernel.accept(-1, 0, 0));
    assertEquals(-Errno.EBADF, kernel.prepare(-1));
  }

  @Test
  void batchStopsAtTheFirstMessageThatFails() {
    int[] pair = pair(SocketConstants.SOCK_DGRAM);
    long messages = arena.allocate(3L * MessageLayouts.MMSGHDR_SIZE, 8).address();
    NativeOrder.putLong(at, at + 64);
    NativeOrder.putLong(at + 8, 5);
    for (int i = 0; i < 3; i++) {
      long message = messages + (long) i * MessageLayouts.MMSGHDR_SIZE;
      NativeOrder.putLong(message + MessageLayouts.IOVECS, at);
      NativeOrder.putLong(message + MessageLayouts.IOVEC_COUNT, i == 2 ? 1 << 20 : 1);
    }
    assertEquals(2, kernel.sendmmsg(pair[0], messages, 3, 0));
    long last = messages + 2L * MessageLayouts.MMSGHDR_SIZE;
    assertEquals(-Errno.EMSGSIZE, kernel.sendmmsg(pair[0], last, 1, 0));
    NativeOrder.putLong(last + MessageLayouts.IOVEC_COUNT, 1);
    assertEquals(2, kernel.recvmmsg(pair[1], messages, 3, 0));
    long second = messages + MessageLayouts.MMSGHDR_SIZE;
    assertEquals(5, NativeOrder.getInt(second + MessageLayouts.LENGTH));
    assertTrue(Errno.wouldBlock(kernel.recvmmsg(pair[1], messages, 3, 0)));
  }

  @Test
  void fileIsNotSentByTheKernel() {
    assertTrue(Errno.isMissingCall(kernel.sendfile(-1, -1, at, 1)));
  }
}
