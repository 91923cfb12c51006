package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.spi.ReadinessSocket;
import dev.quickwater.io.posix.gate.Downcall;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.socket.LoopSockets;
import dev.quickwater.io.posix.socket.OptionTable;
import dev.quickwater.io.posix.socket.Poller;
import dev.quickwater.io.posix.socket.SocketDescriptor;
import dev.quickwater.system.Linkage;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The sockets of `io/posix` over poll(2), with the calls that every POSIX system has and nothing
/// of Linux: the proof that they need no epoll. Each wait costs time for each socket, so this is no
/// transport for programs.
final class PollPoller implements Poller {

  private static final short POLLIN = 1;
  private static final short POLLOUT = 4;
  private static final int BROKEN = 8 | 16; // POLLERR, POLLHUP

  /// `struct pollfd`: descriptor, requested events, returned events.
  private static final int SIZE = 8;

  private static final int MAX_SOCKETS = 4096;

  private final Kernel kernel = new NativeKernel();
  private final LoopSockets sockets = new LoopSockets(this, kernel, OptionTable.POSIX);
  private final ByteBuf memory = ByteBufAllocator.shared().allocate(MAX_SOCKETS * SIZE + SIZE);
  private final long entries = UnsafeViews.address(memory, 0);
  private final long oneByte = entries + MAX_SOCKETS * SIZE;

  /// The watched sockets and their requested events.
  private final Map<SocketDescriptor, Short> watched = new LinkedHashMap<>();

  private final int wakes;
  private final int woken;
  private boolean closed;

  PollPoller() {
    int stream = SocketConstants.SOCK_STREAM;
    int result = kernel.socketpair(SocketConstants.AF_UNIX, stream, 0, entries);
    if (result < 0) {
      throw Errno.bug("socketpair", result);
    }
    wakes = NativeOrder.getInt(entries);
    woken = NativeOrder.getInt(entries + Integer.BYTES);
  }

  @Override
  public LoopSockets sockets() {
    return sockets;
  }

  @Override
  public void register(SocketDescriptor socket) {}

  @Override
  public void interest(SocketDescriptor socket, int events) {
    int mask = (events & ReadinessSocket.READ) != 0 ? POLLIN : 0;
    mask |= (events & ReadinessSocket.WRITE) != 0 ? POLLOUT : 0;
    watched.put(socket, (short) mask);
  }

  @Override
  public void deregister(SocketDescriptor socket) {
    watched.remove(socket);
  }

  @Override
  public void poll(long nanos, Runnable awake) {
    List<SocketDescriptor> polled = new ArrayList<>(watched.keySet());
    entry(0, woken, POLLIN);
    for (int i = 0; i < polled.size(); i++) {
      SocketDescriptor socket = polled.get(i);
      entry(i + 1, socket.fd(), watched.getOrDefault(socket, (short) 0));
    }
    int ready = Downcall.int3(Poll.H, entries, polled.size() + 1L, millis(nanos));
    awake.run();
    if (ready < 0) {
      if (Errno.isInterrupted(ready)) {
        return;
      }
      throw Errno.bug("poll", ready);
    }
    if (returned(0) != 0) {
      emptyWakeUps();
    }
    int[] events = new int[polled.size()]; // copied: a handler may open sockets
    for (int i = 0; i < events.length; i++) {
      events[i] = returned(i + 1);
    }
    for (int i = 0; i < events.length; i++) {
      if (events[i] != 0 && watched.containsKey(polled.get(i))) {
        deliver(polled.get(i), events[i]);
      }
    }
  }

  private void entry(int index, int fd, short events) {
    if (index >= MAX_SOCKETS) {
      throw new IllegalStateException("more than " + MAX_SOCKETS + " sockets");
    }
    long at = entries + (long) index * SIZE;
    NativeOrder.putInt(at, fd);
    NativeOrder.putShort(at + 4, events);
    NativeOrder.putShort(at + 6, (short) 0);
  }

  private int returned(int index) {
    return NativeOrder.getShort(entries + (long) index * SIZE + 6);
  }

  private static long millis(long nanos) {
    return nanos == Long.MAX_VALUE
        ? -1
        : Math.min(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999), Integer.MAX_VALUE);
  }

  private void deliver(SocketDescriptor socket, int events) {
    if ((events & BROKEN) != 0) {
      if (!socket.driver().broken()) {
        watched.remove(socket);
      }
      return;
    }
    int ready = (events & POLLIN) != 0 ? ReadinessSocket.READ : 0;
    ready |= (events & POLLOUT) != 0 ? ReadinessSocket.WRITE : 0;
    socket.driver().ready(ready);
  }

  @Override
  public synchronized void wakeup() {
    if (!closed) {
      kernel.send(wakes, oneByte, 1, SocketConstants.MSG_NOSIGNAL);
    }
  }

  private void emptyWakeUps() {
    while (kernel.recv(woken, oneByte, 1, 0) > 0) {
      // one byte a wake-up; the next poll would report the rest
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    kernel.close(wakes);
    kernel.close(woken);
    sockets.close();
    memory.release();
  }

  private static final class Poll {
    static final MethodHandle H = Linkage.withErrno("poll", 3);
  }
}
