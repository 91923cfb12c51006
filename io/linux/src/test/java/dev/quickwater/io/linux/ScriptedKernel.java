package dev.quickwater.io.linux;

import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.system.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The real kernel, except where a test has written down what a call shall return or how little it
/// shall take.
final class ScriptedKernel implements LinuxKernel {

  private final NativeLinuxKernel real = new NativeLinuxKernel();
  private final Map<String, ArrayDeque<Long>> script = new HashMap<>();

  /// Most bytes that one call takes.
  long maxBytes = Long.MAX_VALUE;

  /// One write in this many is taken, the others would block.
  int takeEvery = 1;

  int writes;
  int waits;

  /// Nanoseconds of all timers that were set.
  final List<Long> timers = new ArrayList<>();

  /// Nanoseconds of all waits with a timeout, and milliseconds as nanoseconds.
  final List<Long> timeouts = new ArrayList<>();

  /// The data of the latest registration.
  long latestData;

  /// An event that comes though nothing has happened, 0 for none.
  int spuriousMask;

  long spuriousData;

  /// The next calls of a function return these.
  void next(String function, long... results) {
    ArrayDeque<Long> queue = script.computeIfAbsent(function, _ -> new ArrayDeque<>());
    for (long result : results) {
      queue.add(result);
    }
  }

  /// This function throws an `OutOfMemoryError`.
  @Nullable String shortOfMemory;

  /// The number of messages in each call of sendmmsg.
  final List<Integer> batches = new ArrayList<>();

  /// Descriptors that were closed.
  final List<Integer> closed = new ArrayList<>();

  private @Nullable Long scripted(String function) {
    if (function.equals(shortOfMemory)) {
      throw new OutOfMemoryError("scripted");
    }
    ArrayDeque<Long> queue = script.get(function);
    return queue == null ? null : queue.poll();
  }

  private @Nullable Long refuseWrite() {
    return ++writes % takeEvery == 0 ? null : Long.valueOf(-11);
  }

  @Override
  public int accept(int fd, long address, long lengthAddress) {
    @Nullable Long result = scripted("accept");
    return result != null ? result.intValue() : real.accept(fd, address, lengthAddress);
  }

  @Override
  public int epollWait(int epoll, long events, int maxEvents, int timeoutMillis) {
    waits++;
    @Nullable Long result = scripted("epollWait");
    if (result != null) {
      return result.intValue();
    }
    if (timeoutMillis > 0) {
      timeouts.add(timeoutMillis * 1_000_000L);
    }
    int count = real.epollWait(epoll, events, maxEvents - 1, timeoutMillis);
    if (spuriousMask != 0 && count >= 0) {
      long at = events + (long) count * EpollMemory.EVENT_SIZE;
      NativeOrder.putInt(at, spuriousMask);
      NativeOrder.putLong(at + EpollMemory.EVENT_SIZE - 8, spuriousData);
      count++;
    }
    return count;
  }

  private static long nanos(long timespec) {
    return NativeOrder.getLong(timespec) * 1_000_000_000 + NativeOrder.getLong(timespec + 8);
  }

  @Override
  public int epollWaitNanos(int epoll, long events, int maxEvents, long timeout) {
    waits++;
    timeouts.add(nanos(timeout));
    @Nullable Long result = scripted("epollWaitNanos");
    return result != null
        ? result.intValue()
        : real.epollWaitNanos(epoll, events, maxEvents, timeout);
  }

  @Override
  public int timerfdCreate(int clock, int flags) {
    @Nullable Long result = scripted("timerfdCreate");
    return result != null ? result.intValue() : real.timerfdCreate(clock, flags);
  }

  @Override
  public int timerfdSet(int fd, int flags, long value) {
    timers.add(nanos(value + 16));
    return real.timerfdSet(fd, flags, value);
  }

  @Override
  public int epollControl(int epoll, int operation, int fd, long event) {
    if (event != 0) {
      latestData = NativeOrder.getLong(event + EpollMemory.EVENT_SIZE - 8);
    }
    return real.epollControl(epoll, operation, fd, event);
  }

  @Override
  public long sendfile(int socket, int file, long offsetAddress, long count) {
    @Nullable Long refused = refuseWrite();
    return refused != null
        ? refused
        : real.sendfile(socket, file, offsetAddress, Math.min(count, maxBytes));
  }

  @Override
  public long send(int fd, long address, long length, int flags) {
    @Nullable Long refused = refuseWrite();
    return refused != null ? refused : real.send(fd, address, Math.min(length, maxBytes), flags);
  }

  /// With a limit, sends the front of the list byte by byte up to it.
  @Override
  public long writev(int fd, long iovecs, int count) {
    @Nullable Long refused = refuseWrite();
    if (refused != null) {
      return refused;
    }
    if (maxBytes == Long.MAX_VALUE) {
      return real.writev(fd, iovecs, count);
    }
    long sent = 0;
    for (int i = 0; i < count && sent < maxBytes; i++) {
      long length = Math.min(Memory.getLongLE(iovecs, i * 16 + 8), maxBytes - sent);
      long taken = real.send(fd, Memory.getLongLE(iovecs, i * 16), length, 0x4000);
      if (taken < 0) {
        return sent > 0 ? sent : taken;
      }
      sent += taken;
    }
    return sent;
  }

  @Override
  public long recv(int fd, long address, long length, int flags) {
    @Nullable Long result = scripted("recv");
    return result != null ? result : real.recv(fd, address, Math.min(length, maxBytes), flags);
  }

  @Override
  public int epollCreate(int flags) {
    return real.epollCreate(flags);
  }

  @Override
  public int fcntl(int fd, int command, long argument) {
    return real.fcntl(fd, command, argument);
  }

  @Override
  public int eventfd(int initial, int flags) {
    @Nullable Long result = scripted("eventfd");
    return result != null ? result.intValue() : real.eventfd(initial, flags);
  }

  @Override
  public int socket(int domain, int type, int protocol) {
    return real.socket(domain, type, protocol);
  }

  @Override
  public int bind(int fd, long address, int length) {
    return real.bind(fd, address, length);
  }

  @Override
  public int listen(int fd, int backlog) {
    @Nullable Long result = scripted("listen");
    return result != null ? result.intValue() : real.listen(fd, backlog);
  }

  @Override
  public int connect(int fd, long address, int length) {
    return real.connect(fd, address, length);
  }

  @Override
  public int getsockname(int fd, long address, long lengthAddress) {
    return real.getsockname(fd, address, lengthAddress);
  }

  @Override
  public int getpeername(int fd, long address, long lengthAddress) {
    return real.getpeername(fd, address, lengthAddress);
  }

  @Override
  public int setsockopt(int fd, int level, int option, long value, int length) {
    @Nullable Long result = scripted("setsockopt");
    return result != null ? result.intValue() : real.setsockopt(fd, level, option, value, length);
  }

  @Override
  public int getsockopt(int fd, int level, int option, long value, long lengthAddress) {
    @Nullable Long result = scripted("getsockopt");
    return result != null
        ? result.intValue()
        : real.getsockopt(fd, level, option, value, lengthAddress);
  }

  @Override
  public long read(int fd, long address, long length) {
    return real.read(fd, address, length);
  }

  @Override
  public long write(int fd, long address, long length) {
    return real.write(fd, address, length);
  }

  @Override
  public int shutdown(int fd, int how) {
    return real.shutdown(fd, how);
  }

  @Override
  public int close(int fd) {
    closed.add(fd);
    return real.close(fd);
  }

  @Override
  public int open(long path, int flags) {
    @Nullable Long result = scripted("open");
    return result != null ? result.intValue() : real.open(path, flags);
  }

  @Override
  public long lseek(int fd, long offset, int whence) {
    return real.lseek(fd, offset, whence);
  }

  @Override
  public long pread(int fd, long address, long length, long offset) {
    return real.pread(fd, address, length, offset);
  }

  @Override
  public long sendmsg(int fd, long message, int flags) {
    return real.sendmsg(fd, message, flags);
  }

  @Override
  public long recvmsg(int fd, long message, int flags) {
    return real.recvmsg(fd, message, flags);
  }

  @Override
  public int socketpair(int domain, int type, int protocol, long pairAddress) {
    return real.socketpair(domain, type, protocol, pairAddress);
  }

  @Override
  public int sendmmsg(int fd, long messages, int count, int flags) {
    batches.add(count);
    @Nullable Long result = scripted("sendmmsg");
    return result != null ? result.intValue() : real.sendmmsg(fd, messages, count, flags);
  }

  @Override
  public int recvmmsg(int fd, long messages, int count, int flags) {
    @Nullable Long result = scripted("recvmmsg");
    return result != null ? result.intValue() : real.recvmmsg(fd, messages, count, flags);
  }
}
