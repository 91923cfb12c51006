package dev.quickwater.io.linux;

import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.ReadinessSocket;
import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.socket.LoopSockets;
import dev.quickwater.io.posix.socket.Poller;
import dev.quickwater.io.posix.socket.SocketDescriptor;
import dev.quickwater.io.posix.socket.SocketTable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An epoll instance, level-triggered, and the sockets registered with it.
///
/// Event data is that of [SocketTable], never a bare descriptor.
///
/// Waits have nanosecond precision. Waits below a millisecond pass their timeout to the kernel;
/// longer waits use a [WaitTimer].
final class EpollPoller implements Poller {

  private static final int EPOLL_CLOEXEC = 0x80000;
  private static final int EFD_NONBLOCK = 0x800;
  private static final int EFD_CLOEXEC = 0x80000;

  private static final int CTL_ADD = 1;
  private static final int CTL_DEL = 2;
  private static final int CTL_MOD = 3;

  private static final int EPOLLIN = 1;
  private static final int EPOLLOUT = 4;
  private static final int EPOLLERR = 8;
  private static final int EPOLLHUP = 16;
  private static final int EPOLLET = 1 << 31;

  private static final long WAKEUP = -1;
  private static final long TIMER = -2;

  /// A shorter wait passes its timeout to the kernel: setting a timer would cost more than it saves
  /// for the few waits that events end early.
  private static final long SHORT_WAIT = 1_000_000;

  private final LinuxKernel kernel;
  private final EpollMemory memory;
  private final LoopSockets sockets;
  private final SocketTable table = new SocketTable();
  private final WaitTimer timer;
  private boolean hasPreciseWaits = true;

  private final int epoll;
  private final int wakeFd;
  private final Object wakeLock = new Object();

  private boolean closed;

  private EpollPoller(
      LinuxKernel kernel, EpollMemory memory, WaitTimer timer, int epoll, int wakeFd) {
    this.kernel = kernel;
    this.memory = memory;
    this.timer = timer;
    this.epoll = epoll;
    this.wakeFd = wakeFd;
    this.sockets = new LoopSockets(this, kernel, LinuxOptions.TABLE);
  }

  static EpollPoller open(LinuxKernel kernel) throws IOException {
    int epoll = kernel.epollCreate(EPOLL_CLOEXEC);
    if (epoll < 0) {
      throw Errno.failure("epoll_create1", epoll);
    }
    int wakeFd = kernel.eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (wakeFd < 0) {
      kernel.close(epoll);
      throw Errno.failure("eventfd", wakeFd);
    }
    EpollMemory memory = new EpollMemory();
    WaitTimer timer;
    try {
      timer = WaitTimer.open(kernel, memory);
    } catch (IOException | RuntimeException e) {
      memory.close();
      kernel.close(wakeFd);
      kernel.close(epoll);
      throw e;
    }
    EpollPoller poller = new EpollPoller(kernel, memory, timer, epoll, wakeFd);
    // Edge-triggered: each write to the eventfd and each expiry of the timer is one event, and the
    // counters need not be read.
    int added = poller.add(wakeFd, WAKEUP);
    if (added == 0) {
      added = poller.add(timer.fd(), TIMER);
    }
    if (added < 0) {
      poller.close();
      throw Errno.failure("epoll_ctl", added);
    }
    return poller;
  }

  private int add(int fd, long data) {
    return kernel.epollControl(epoll, CTL_ADD, fd, memory.event(EPOLLIN | EPOLLET, data));
  }

  // ---- events ----

  @Override
  public void poll(long nanos, Runnable awake) {
    int count = await(nanos);
    awake.run();
    if (count < 0) {
      if (Errno.isInterrupted(count)) {
        return; // the loop recomputes its timeout
      }
      throw Errno.bug("epoll_wait", count);
    }
    if (count > 0) {
      deliver(count);
    }
  }

  /// Waits for an event, or for `nanos`. A timer that was set for an earlier wait may end the wait
  /// before.
  private int await(long nanos) {
    if (nanos == 0) {
      return kernel.epollWait(epoll, memory.events, EpollMemory.EVENTS, 0);
    }
    if (nanos < SHORT_WAIT && hasPreciseWaits) {
      int count =
          kernel.epollWaitNanos(epoll, memory.events, EpollMemory.EVENTS, memory.timespec(nanos));
      if (!Errno.isMissingCall(count)) {
        return count;
      }
      hasPreciseWaits = false;
    }
    if (nanos != Long.MAX_VALUE) {
      timer.fireWithin(nanos);
    }
    return kernel.epollWait(epoll, memory.events, EpollMemory.EVENTS, -1);
  }

  private void deliver(int count) {
    for (int i = 0; i < count; i++) {
      long data = memory.eventData(i);
      if (data == WAKEUP || data == TIMER) {
        continue;
      }
      @Nullable SocketDescriptor socket = table.find(data);
      if (socket != null) {
        deliver(socket, socket.driver(), memory.eventMask(i));
      }
    }
  }

  private void deliver(SocketDescriptor socket, Driver driver, int mask) {
    if ((mask & (EPOLLERR | EPOLLHUP)) == 0) {
      int ready = 0;
      if ((mask & EPOLLIN) != 0) {
        ready |= ReadinessSocket.READ;
      }
      if ((mask & EPOLLOUT) != 0) {
        ready |= ReadinessSocket.WRITE;
      }
      driver.ready(ready);
    } else if (!driver.broken()) {
      removeFromKernel(socket);
    }
  }

  @Override
  public void wakeup() {
    synchronized (wakeLock) {
      if (!closed) {
        kernel.write(wakeFd, memory.one, Long.BYTES);
      }
    }
  }

  // ---- registrations ----

  @Override
  public LoopSockets sockets() {
    return sockets;
  }

  @Override
  public void register(SocketDescriptor socket) {
    table.add(socket);
  }

  @Override
  public void interest(SocketDescriptor socket, int events) throws IOException {
    int mask = 0;
    if ((events & ReadinessSocket.READ) != 0) {
      mask |= EPOLLIN;
    }
    if ((events & ReadinessSocket.WRITE) != 0) {
      mask |= EPOLLOUT;
    }
    int operation = socket.isWatched() ? CTL_MOD : CTL_ADD;
    int result =
        kernel.epollControl(epoll, operation, socket.fd(), memory.event(mask, socket.data()));
    if (result < 0) {
      throw Errno.failure("epoll_ctl", result);
    }
    socket.watched(true);
  }

  private void removeFromKernel(SocketDescriptor socket) {
    if (socket.isWatched()) {
      socket.watched(false);
      kernel.epollControl(epoll, CTL_DEL, socket.fd(), 0);
    }
  }

  /// Closing the only descriptor removes the socket from the kernel's set. With another one open,
  /// the set keeps the socket and would report it for ever.
  @Override
  public void deregister(SocketDescriptor socket) {
    if (socket.mayHaveDuplicates()) {
      removeFromKernel(socket);
    }
    table.remove(socket);
  }

  @Override
  public void close() {
    synchronized (wakeLock) {
      closed = true;
      timer.close();
      kernel.close(wakeFd);
      kernel.close(epoll);
      memory.close();
      sockets.close();
    }
  }
}
