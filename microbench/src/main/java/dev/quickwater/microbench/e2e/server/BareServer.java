package dev.quickwater.microbench.e2e.server;

import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.system.Memory;
import dev.quickwater.system.Pages;
import java.io.IOException;

/// The limit: an epoll loop that finds blank lines and answers a constant.
///
/// It has no parser, no objects and no framework, only the system calls that any server on this
/// gate must make: one wait for all, one read and one write for each ready connection. It is no
/// limit if the same loop in C (`bare.c`) is more than a tenth faster.
final class BareServer {

  private static final int EPOLLIN = 1;
  private static final int EPOLLOUT = 4;
  private static final int ADD = 1;
  private static final int DELETE = 2;
  private static final int MODIFY = 3;
  private static final int MSG_NOSIGNAL = 0x4000;

  /// The kernel packs `epoll_event` on x86-64 alone.
  private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));

  private static final int EVENT_SIZE = PACKED ? 12 : 16;
  private static final int EVENT_DATA = PACKED ? 4 : 8;
  private static final int MAX_EVENTS = 256;
  private static final int MAX_FD = 1 << 16;
  private static final int READ_SIZE = 1 << 16;

  /// As many as the smallest requests that fill one read, so one write answers any read.
  private static final int COPIES = READ_SIZE / 4;

  private final LinuxKernel kernel = new NativeLinuxKernel();
  private final long events = Pages.map((MAX_EVENTS + 1L) * EVENT_SIZE);
  private final long change = events + (long) MAX_EVENTS * EVENT_SIZE;
  private final long in = Pages.map(READ_SIZE);
  private final BareSockets sockets = new BareSockets(kernel, Pages.map(4096));
  private final BlankLines lines = new BlankLines();
  private final int[] partial = new int[MAX_FD];
  private final int[] pending = new int[MAX_FD];
  private final int responseLength;
  private final long responses;
  private final int listener;
  private final int epoll;

  private BareServer(int port) throws IOException {
    byte[] response = Plaintext.response();
    responseLength = response.length;
    responses = Pages.map((long) responseLength * COPIES);
    for (int i = 0; i < COPIES; i++) {
      Memory.copy(response, 0, responses + (long) i * responseLength, responseLength);
    }
    listener = sockets.listen(port);
    epoll = BareSockets.check("epoll_create1", kernel.epollCreate(BareSockets.SOCK_CLOEXEC));
    control(ADD, listener, EPOLLIN);
    System.out.println("listening on http://127.0.0.1:" + sockets.port(listener) + " bare loops=1");
  }

  /// Argument: port (0 picks one).
  public static void main(String[] args) throws IOException {
    new BareServer(Integer.parseInt(args[0])).run();
  }

  private void run() throws IOException {
    while (true) {
      int ready = kernel.epollWait(epoll, events, MAX_EVENTS, -1);
      if (ready < 0 && ready != -Errno.EINTR) {
        throw Errno.failure("epoll_wait", ready);
      }
      for (int i = 0; i < ready; i++) {
        int fd = Memory.getIntLE(events, i * EVENT_SIZE + EVENT_DATA);
        if (fd == listener) {
          accept();
        } else if (pending[fd] > 0) {
          write(fd, pending[fd], EPOLLOUT);
        } else {
          read(fd);
        }
      }
    }
  }

  private void accept() throws IOException {
    int fd = kernel.accept(listener, 0, 0);
    if (fd < 0) {
      return;
    }
    if (fd >= MAX_FD) {
      kernel.close(fd);
      return;
    }
    partial[fd] = 0;
    pending[fd] = 0;
    sockets.noDelay(fd);
    control(ADD, fd, EPOLLIN);
  }

  private void read(int fd) throws IOException {
    long n = kernel.read(fd, in, READ_SIZE);
    if (n <= 0) {
      if (n != -Errno.EAGAIN) {
        close(fd);
      }
      return;
    }
    partial[fd] = lines.scan(in, (int) n, partial[fd]);
    int count = lines.count();
    if (count > 0) {
      write(fd, count * responseLength, EPOLLIN);
    }
  }

  private void write(int fd, int left, int interest) throws IOException {
    int written = (responseLength - left % responseLength) % responseLength;
    long n = kernel.send(fd, responses + written, left, MSG_NOSIGNAL);
    if (n < 0 && n != -Errno.EAGAIN) {
      close(fd);
      return;
    }
    int rest = left - (int) Math.max(n, 0);
    pending[fd] = rest;
    int wanted = rest > 0 ? EPOLLOUT : EPOLLIN;
    if (wanted != interest) {
      control(MODIFY, fd, wanted);
    }
  }

  private void close(int fd) throws IOException {
    control(DELETE, fd, 0);
    kernel.close(fd);
  }

  private void control(int operation, int fd, int interest) throws IOException {
    Memory.putIntLE(change, 0, interest);
    Memory.putLongLE(change, EVENT_DATA, fd);
    BareSockets.check("epoll_ctl", kernel.epollControl(epoll, operation, fd, change));
  }
}
