package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The real kernel, through the functions that every C library of POSIX has. A subclass for one
/// system uses a single call of that system where this class needs several steps.
///
/// Stateless: errno goes to the capture of the calling thread. One kernel serves all threads.
///
/// Each function has a separate holder class: a handle is linked at the first call and is then a
/// constant to the compiler.
public class NativeKernel implements Kernel {

  /// Stateless; any thread may call.
  public NativeKernel() {}

  /// Links and loads the functions that are needed when descriptors or memory have run out:
  /// closing, and the texts of errors. A class whose initialisation failed at that time would stay
  /// unusable.
  public static void prepareForShortage() {
    new NativeKernel().close(-1);
    Downcall.withoutErrno3(Close.WITHOUT_ERRNO, -1, 0, 0);
    Errno.describe(Errno.EMFILE);
  }

  @Override
  public int socket(int domain, int type, int protocol) {
    return prepared(createSocket(domain, type, protocol));
  }

  /// Creates a socket with the flags that `type` has.
  protected static int createSocket(int domain, int type, int protocol) {
    return Downcall.int3(Socket.H, domain, type, protocol);
  }

  /// A new descriptor after [#prepare], or the failure; the descriptor is closed then.
  private int prepared(int fd) {
    if (fd < 0) {
      return fd;
    }
    int result;
    try {
      result = prepare(fd);
    } catch (RuntimeException | Error e) {
      close(fd);
      throw e;
    }
    if (result < 0) {
      close(fd);
      return result;
    }
    return fd;
  }

  @Override
  public final int bind(int fd, long address, int length) {
    return Downcall.int3(Bind.H, fd, address, length);
  }

  @Override
  public final int listen(int fd, int backlog) {
    return Downcall.int2(Listen.H, fd, backlog);
  }

  @Override
  public int accept(int fd, long address, long lengthAddress) {
    int result;
    do {
      result = Downcall.int3(Accept.H, fd, address, lengthAddress);
    } while (result == -Errno.EINTR);
    return prepared(result);
  }

  @Override
  public final int connect(int fd, long address, int length) {
    return Downcall.int3(Connect.H, fd, address, length);
  }

  @Override
  public final int getsockname(int fd, long address, long lengthAddress) {
    return Downcall.int3(GetSockName.H, fd, address, lengthAddress);
  }

  @Override
  public final int getpeername(int fd, long address, long lengthAddress) {
    return Downcall.int3(GetPeerName.H, fd, address, lengthAddress);
  }

  @Override
  public final int setsockopt(int fd, int level, int option, long value, int length) {
    return Downcall.int5(SetSockOpt.H, fd, level, option, value, length);
  }

  @Override
  public final int getsockopt(int fd, int level, int option, long value, long lengthAddress) {
    return Downcall.int5(GetSockOpt.H, fd, level, option, value, lengthAddress);
  }

  @Override
  public final long read(int fd, long address, long length) {
    long result;
    do {
      result = Downcall.long3(Read.H, fd, address, length);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long write(int fd, long address, long length) {
    long result;
    do {
      result = Downcall.long3(Write.H, fd, address, length);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long writev(int fd, long iovecs, int count) {
    long result;
    do {
      result = Downcall.long3(WriteV.H, fd, iovecs, count);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long recv(int fd, long address, long length, int flags) {
    long result;
    do {
      result = Downcall.long4(Recv.H, fd, address, length, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long send(int fd, long address, long length, int flags) {
    long result;
    do {
      result = Downcall.long4(Send.H, fd, address, length, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long sendmsg(int fd, long message, int flags) {
    long result;
    do {
      result = Downcall.long3(SendMsg.H, fd, message, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long recvmsg(int fd, long message, int flags) {
    long result;
    do {
      result = Downcall.long3(RecvMsg.H, fd, message, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public int sendmmsg(int fd, long messages, int count, int flags) {
    for (int i = 0; i < count; i++) {
      long message = messages + (long) i * MessageLayouts.MMSGHDR_SIZE;
      long sent = sendmsg(fd, message, flags);
      if (sent < 0) {
        return i == 0 ? (int) sent : i;
      }
      NativeOrder.putInt(message + MessageLayouts.LENGTH, (int) sent);
    }
    return count;
  }

  @Override
  public int recvmmsg(int fd, long messages, int count, int flags) {
    for (int i = 0; i < count; i++) {
      long message = messages + (long) i * MessageLayouts.MMSGHDR_SIZE;
      long received = recvmsg(fd, message, flags);
      if (received < 0) {
        return i == 0 ? (int) received : i;
      }
      NativeOrder.putInt(message + MessageLayouts.LENGTH, (int) received);
    }
    return count;
  }

  /// The systems have different functions of this name.
  @Override
  public long sendfile(int socket, int file, long offsetAddress, long count) {
    return -Errno.ENOSYS;
  }

  @Override
  public int socketpair(int domain, int type, int protocol, long pairAddress) {
    int result = createPair(domain, type, protocol, pairAddress);
    if (result < 0) {
      return result;
    }
    int first = NativeOrder.getInt(pairAddress);
    int second = NativeOrder.getInt(pairAddress + Integer.BYTES);
    result = prepared(first);
    if (result < 0) {
      close(second);
      return result;
    }
    result = prepared(second);
    if (result < 0) {
      close(first);
      return result;
    }
    return 0;
  }

  /// Creates two sockets with the flags that `type` has.
  protected static int createPair(int domain, int type, int protocol, long pairAddress) {
    return Downcall.int4(SocketPair.H, domain, type, protocol, pairAddress);
  }

  @Override
  public final int shutdown(int fd, int how) {
    return Downcall.int2(Shutdown.H, fd, how);
  }

  @Override
  public final int close(int fd) {
    MemorySegment capture;
    int bare;
    try {
      capture = ErrnoCapture.current();
      bare = Downcall.bare1(Close.H, capture, fd);
    } catch (OutOfMemoryError _) {
      // The capture of the thread and an uncompiled call with errno need memory.
      Downcall.withoutErrno3(Close.WITHOUT_ERRNO, fd, 0, 0);
      return 0; // the descriptor is closed in any case
    }
    int result = Downcall.narrow(bare, capture);
    return result == -Errno.EINTR ? 0 : result;
  }

  @Override
  public final int fcntl(int fd, int command, long argument) {
    return Downcall.int3(Fcntl.H, fd, command, argument);
  }

  @Override
  public final int open(long path, int flags) {
    int result;
    do {
      result = Downcall.int2(Open.H, path, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public final long lseek(int fd, long offset, int whence) {
    return Downcall.long3(LSeek.H, fd, offset, whence);
  }

  @Override
  public final long pread(int fd, long address, long length, long offset) {
    long result;
    do {
      result = Downcall.long4(PRead.H, fd, address, length, offset);
    } while (result == -Errno.EINTR);
    return result;
  }

  private static final class Socket {
    static final MethodHandle H = Linkage.withErrno("socket", 3);
  }

  private static final class Bind {
    static final MethodHandle H = Linkage.withErrno("bind", 3);
  }

  private static final class Listen {
    static final MethodHandle H = Linkage.withErrno("listen", 2);
  }

  private static final class Accept {
    static final MethodHandle H = Linkage.withErrno("accept", 3);
  }

  private static final class Fcntl {
    static final MethodHandle H = Linkage.variadicWithErrno("fcntl", 3, 2);
  }

  private static final class Connect {
    static final MethodHandle H = Linkage.withErrno("connect", 3);
  }

  private static final class GetSockName {
    static final MethodHandle H = Linkage.withErrno("getsockname", 3);
  }

  private static final class GetPeerName {
    static final MethodHandle H = Linkage.withErrno("getpeername", 3);
  }

  private static final class SetSockOpt {
    static final MethodHandle H = Linkage.withErrno("setsockopt", 5);
  }

  private static final class GetSockOpt {
    static final MethodHandle H = Linkage.withErrno("getsockopt", 5);
  }

  private static final class Read {
    static final MethodHandle H = Linkage.withErrno("read", 3);
  }

  private static final class Write {
    static final MethodHandle H = Linkage.withErrno("write", 3);
  }

  private static final class WriteV {
    static final MethodHandle H = Linkage.withErrno("writev", 3);
  }

  private static final class Recv {
    static final MethodHandle H = Linkage.withErrno("recv", 4);
  }

  private static final class Send {
    static final MethodHandle H = Linkage.withErrno("send", 4);
  }

  private static final class SendMsg {
    static final MethodHandle H = Linkage.withErrno("sendmsg", 3);
  }

  private static final class RecvMsg {
    static final MethodHandle H = Linkage.withErrno("recvmsg", 3);
  }

  private static final class SocketPair {
    static final MethodHandle H = Linkage.withErrno("socketpair", 4);
  }

  private static final class Shutdown {
    static final MethodHandle H = Linkage.withErrno("shutdown", 2);
  }

  private static final class Close {
    static final MethodHandle H = Linkage.withErrno("close", 1);

    /// Uses the signature of `madvise`, which is linked in any case. On the supported machines a
    /// function ignores further arguments.
    static final MethodHandle WITHOUT_ERRNO = Linkage.withoutErrno("close", 3);
  }

  private static final class Open {
    static final MethodHandle H = Linkage.variadicWithErrno("open", 2, 2);
  }

  private static final class LSeek {
    static final MethodHandle H = Linkage.withErrno("lseek", 3);
  }

  private static final class PRead {
    static final MethodHandle H = Linkage.withErrno("pread", 4);
  }
}
