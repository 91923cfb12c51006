package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.Driver;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.ReadinessSocket;
import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// An epoll instance, level-triggered, and the sockets registered with it.
///
/// Event data is a slot with a generation, never a bare descriptor. A queued event of a closed
/// socket therefore cannot reach the next owner of the descriptor.
///
/// Waits have nanosecond precision. Waits below a millisecond pass their timeout to the kernel;
/// longer waits use a [WaitTimer].
final class EpollPoller implements IoPoller {

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

  final LinuxKernel kernel;
  final Scratch scratch;
  private final WaitTimer timer;
  private boolean hasPreciseWaits = true;

  private final int epoll;
  private final int wakeFd;
  private final ByteBuf one = ByteBufAllocator.shared().allocate(8);
  private final Object wakeLock = new Object();

  private @Nullable EpollDescriptor[] slots = new EpollDescriptor[64];
  private int[] freeSlots = new int[64];
  private int freeCount;
  private int nextSlot;
  private int generation;
  private boolean closed;

  /// Descriptors whose sockets may stay open through other descriptors, here or in another process.
  private final BitSet duplicated = new BitSet();

  /// Null until the first datagram socket.
  private @Nullable DatagramBuffers datagrams;

  /// Null until the first Unix datagram socket or passed descriptor.
  private @Nullable MessageBatch unixMessages;

  private EpollPoller(LinuxKernel kernel, Scratch scratch, WaitTimer timer, int epoll, int wakeFd) {
    this.kernel = kernel;
    this.scratch = scratch;
    this.timer = timer;
    this.epoll = epoll;
    this.wakeFd = wakeFd;
    Scratch.putLong(UnsafeViews.address(one, 0), 1);
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
    Scratch scratch = new Scratch();
    WaitTimer timer;
    try {
      timer = WaitTimer.open(kernel, scratch);
    } catch (IOException | RuntimeException e) {
      scratch.close();
      kernel.close(wakeFd);
      kernel.close(epoll);
      throw e;
    }
    EpollPoller poller = new EpollPoller(kernel, scratch, timer, epoll, wakeFd);
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
    return kernel.epollControl(epoll, CTL_ADD, fd, scratch.event(EPOLLIN | EPOLLET, data));
  }

  // ---- events ----

  @Override
  public void poll(long nanos, Runnable awake) {
    int count = await(nanos);
    awake.run();
    if (count < 0) {
      if (count == -Errno.EINTR) {
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
      return kernel.epollWait(epoll, scratch.events, Scratch.EVENTS, 0);
    }
    if (nanos < SHORT_WAIT && hasPreciseWaits) {
      int count =
          kernel.epollWaitNanos(epoll, scratch.events, Scratch.EVENTS, scratch.timespec(nanos));
      // Old seccomp filters answer an unknown system call with EPERM.
      if (count != -Errno.ENOSYS && count != -Errno.EPERM) {
        return count;
      }
      hasPreciseWaits = false;
    }
    if (nanos != Long.MAX_VALUE) {
      timer.fireWithin(nanos);
    }
    return kernel.epollWait(epoll, scratch.events, Scratch.EVENTS, -1);
  }

  private void deliver(int count) {
    for (int i = 0; i < count; i++) {
      long data = scratch.eventData(i);
      if (data == WAKEUP || data == TIMER) {
        continue;
      }
      @Nullable EpollDescriptor socket = slots[(int) data];
      if (socket != null && socket.data() == data && socket.driver != null) {
        deliver(socket, socket.driver, scratch.eventMask(i));
      }
    }
  }

  private void deliver(EpollDescriptor socket, Driver driver, int mask) {
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
        kernel.write(wakeFd, UnsafeViews.address(one, 0), 8);
      }
    }
  }

  // ---- registrations ----

  /// Registers a socket: `driver` receives its events.
  void register(EpollDescriptor socket, Driver driver) {
    int slot = freeCount > 0 ? freeSlots[--freeCount] : nextSlot++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slot * 2);
    }
    socket.slot = slot;
    socket.generation = ++generation & 0x7fff_ffff;
    socket.driver = driver;
    slots[slot] = socket;
  }

  void interest(EpollDescriptor socket, int events) throws IOException {
    int mask = 0;
    if ((events & ReadinessSocket.READ) != 0) {
      mask |= EPOLLIN;
    }
    if ((events & ReadinessSocket.WRITE) != 0) {
      mask |= EPOLLOUT;
    }
    int operation = socket.inKernel ? CTL_MOD : CTL_ADD;
    int result =
        kernel.epollControl(epoll, operation, socket.fd, scratch.event(mask, socket.data()));
    if (result < 0) {
      throw Errno.failure("epoll_ctl", result);
    }
    socket.inKernel = true;
  }

  private void removeFromKernel(EpollDescriptor socket) {
    if (socket.inKernel) {
      socket.inKernel = false;
      kernel.epollControl(epoll, CTL_DEL, socket.fd, 0);
    }
  }

  /// Records that other descriptors of this socket may exist. The kernel's set then keeps the
  /// socket after its descriptor is closed, and would report it for ever.
  void mayHaveDuplicates(int fd) {
    duplicated.set(fd);
  }

  /// Deregisters a socket before it is closed. Closing the only descriptor removes the socket from
  /// the kernel's set.
  void unregister(EpollDescriptor socket) {
    if (duplicated.get(socket.fd)) {
      duplicated.clear(socket.fd);
      removeFromKernel(socket);
    }
    int slot = socket.slot;
    slots[slot] = null;
    if (freeCount == freeSlots.length) {
      freeSlots = Arrays.copyOf(freeSlots, freeCount * 2);
    }
    freeSlots[freeCount++] = slot;
  }

  // ---- opening ----

  @Override
  public ChannelIo listen(SocketAddress local, ChannelSettings settings) throws IOException {
    if (local instanceof DescriptorAddress open) {
      return open.listen(this, settings);
    }
    if (isUnix(local)) {
      SocketOptions.validateAny(
          settings.sockets().options(), SocketKind.UNIX_LISTENER, SocketKind.UNIX_STREAM);
      return EpollListener.openUnix(this, local, settings);
    }
    SocketOptions.validateListening(this, settings.sockets().options());
    return EpollListener.open(this, inet(local), settings);
  }

  @Override
  public ConnectingIo openStream(SocketAddress remote, ChannelSettings settings)
      throws IOException {
    if (remote instanceof DescriptorAddress open) {
      return open.connect(this, settings);
    }
    if (isUnix(remote)) {
      SocketOptions.validate(SocketKind.UNIX_STREAM, settings.sockets().options());
      return UnixSocket.open(this, settings);
    }
    SocketOptions.validate(SocketKind.STREAM, settings.sockets().options());
    return EpollSocket.open(this, inet(remote), settings);
  }

  @Override
  public ChannelIo openDatagram(
      @Nullable SocketAddress local, @Nullable SocketAddress remote, ChannelSettings settings)
      throws IOException {
    if (isUnix(local) || isUnix(remote)) {
      SocketOptions.validate(SocketKind.UNIX_DATAGRAM, settings.sockets().options());
      return UnixDatagram.open(this, local, remote, settings);
    }
    SocketOptions.validate(SocketKind.DATAGRAM, settings.sockets().options());
    return EpollDatagram.open(
        this, local == null ? null : inet(local), remote == null ? null : inet(remote), settings);
  }

  /// Allocates the memory of datagram sockets, once.
  void useDatagrams() {
    if (datagrams == null) {
      datagrams = new DatagramBuffers(ByteBufAllocator.shared());
    }
  }

  DatagramBuffers datagrams() {
    if (datagrams == null) {
      throw new IllegalStateException("the loop has no datagram socket");
    }
    return datagrams;
  }

  /// The batch with which all Unix sockets of the loop receive and send descriptors.
  MessageBatch unixMessages() {
    @Nullable MessageBatch batch = unixMessages;
    if (batch == null) {
      int room = ReceivedDescriptors.room(DescriptorMessage.MAX_DESCRIPTORS);
      batch = new MessageBatch(DatagramBuffers.MESSAGES, 1, room);
      unixMessages = batch;
    }
    return batch;
  }

  /// The destination of a datagram.
  ///
  /// @throws IllegalArgumentException if the address is of another kind or unresolved
  static InetSocketAddress resolved(SocketAddress address) {
    if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
      return inet;
    }
    throw new IllegalArgumentException(
        "a datagram needs a resolved InetSocketAddress, not " + address);
  }

  static boolean isUnix(@Nullable SocketAddress address) {
    return address instanceof UnixDomainSocketAddress || address instanceof AbstractUnixAddress;
  }

  static InetSocketAddress inet(SocketAddress address) throws IOException {
    if (!(address instanceof InetSocketAddress inet)) {
      throw new UnsupportedOperationException(
          "epoll sockets take an InetSocketAddress, a UnixDomainSocketAddress or an"
              + " AbstractUnixAddress, not "
              + address);
    }
    if (inet.isUnresolved()) {
      throw new UnknownHostException(inet + " is not resolved");
    }
    return inet;
  }

  @Override
  public FileSource openFile(Path path) throws IOException {
    return DescriptorFile.open(kernel, path);
  }

  @Override
  public FileSource openFile(Path root, String relative) throws IOException {
    return DescriptorFile.openBelow(kernel, root, relative);
  }

  @Override
  public void close() {
    synchronized (wakeLock) {
      closed = true;
      timer.close();
      kernel.close(wakeFd);
      kernel.close(epoll);
      one.release();
      scratch.close();
      if (datagrams != null) {
        datagrams.close();
      }
      if (unixMessages != null) {
        unixMessages.close();
      }
    }
  }
}
