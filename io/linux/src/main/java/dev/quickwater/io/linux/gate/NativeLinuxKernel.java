package dev.quickwater.io.linux.gate;

import dev.quickwater.io.posix.gate.Downcall;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.system.Linkage;
import java.lang.invoke.MethodHandle;

/// The real Linux kernel.
public final class NativeLinuxKernel extends NativeKernel implements LinuxKernel {

  /// The flags with which Linux creates a socket as the gate's callers expect it, in one call.
  private static final int FLAGS = LinuxConstants.SOCK_NONBLOCK | LinuxConstants.SOCK_CLOEXEC;

  /// Stateless; any thread may call.
  public NativeLinuxKernel() {}

  @Override
  public int socket(int domain, int type, int protocol) {
    return createSocket(domain, type | FLAGS, protocol);
  }

  @Override
  public int socketpair(int domain, int type, int protocol, long pairAddress) {
    return createPair(domain, type | FLAGS, protocol, pairAddress);
  }

  @Override
  public int accept(int fd, long address, long lengthAddress) {
    int result;
    do {
      result = Downcall.int4(Accept4.H, fd, address, lengthAddress, FLAGS);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public int epollCreate(int flags) {
    return Downcall.int1(EpollCreate.H, flags);
  }

  @Override
  public int epollControl(int epoll, int operation, int fd, long event) {
    return Downcall.int4(EpollControl.H, epoll, operation, fd, event);
  }

  @Override
  public int epollWait(int epoll, long events, int maxEvents, int timeoutMillis) {
    return Downcall.int4(EpollWait.H, epoll, events, maxEvents, timeoutMillis);
  }

  @Override
  public int epollWaitNanos(int epoll, long events, int maxEvents, long timeout) {
    return EpollWaitNanos.EXISTS
        ? Downcall.int5(EpollWaitNanos.Handle.H, epoll, events, maxEvents, timeout, 0)
        : -Errno.ENOSYS;
  }

  @Override
  public int timerfdCreate(int clock, int flags) {
    return Downcall.int2(TimerCreate.H, clock, flags);
  }

  @Override
  public int timerfdSet(int fd, int flags, long value) {
    return Downcall.int4(TimerSet.H, fd, flags, value, 0);
  }

  @Override
  public int eventfd(int initial, int flags) {
    return Downcall.int2(EventFd.H, initial, flags);
  }

  @Override
  public long sendfile(int socket, int file, long offsetAddress, long count) {
    long result;
    do {
      result = Downcall.long4(SendFile.H, socket, file, offsetAddress, count);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public int sendmmsg(int fd, long messages, int count, int flags) {
    int result;
    do {
      result = Downcall.int4(SendMMsg.H, fd, messages, count, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  @Override
  public int recvmmsg(int fd, long messages, int count, int flags) {
    int result;
    do {
      result = Downcall.int5(RecvMMsg.H, fd, messages, count, flags, 0);
    } while (result == -Errno.EINTR);
    return result;
  }

  private static final class SendMMsg {
    static final MethodHandle H = Linkage.withErrno("sendmmsg", 4);
  }

  private static final class RecvMMsg {
    static final MethodHandle H = Linkage.withErrno("recvmmsg", 5);
  }

  private static final class Accept4 {
    static final MethodHandle H = Linkage.withErrno("accept4", 4);
  }

  private static final class EpollCreate {
    static final MethodHandle H = Linkage.withErrno("epoll_create1", 1);
  }

  private static final class EpollControl {
    static final MethodHandle H = Linkage.withErrno("epoll_ctl", 4);
  }

  private static final class EpollWait {
    static final MethodHandle H = Linkage.withErrno("epoll_wait", 4);
  }

  private static final class EpollWaitNanos {
    static final boolean EXISTS = Linkage.has("epoll_pwait2");

    private static final class Handle {
      static final MethodHandle H = Linkage.withErrno("epoll_pwait2", 5);
    }
  }

  private static final class TimerCreate {
    static final MethodHandle H = Linkage.withErrno("timerfd_create", 2);
  }

  private static final class TimerSet {
    static final MethodHandle H = Linkage.withErrno("timerfd_settime", 4);
  }

  private static final class EventFd {
    static final MethodHandle H = Linkage.withErrno("eventfd", 2);
  }

  private static final class SendFile {
    static final MethodHandle H = Linkage.withErrno("sendfile", 4);
  }
}
