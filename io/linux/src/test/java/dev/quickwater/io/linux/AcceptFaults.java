package dev.quickwater.io.linux;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.testkit.FullHeap;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Accepts connections of TCP and of Unix sockets while the n-th allocation in the Java heap fails,
/// for each n until accepting succeeds. Prints how many attempts failed, and how many descriptors
/// are open at the end that were not open before.
final class AcceptFaults {

  /// Bytes of room in the heap, tried in turn.
  private static final int[] ROOMS = {0, 16, 24, 32, 48, 64, 96, 128, 192, 256, 400, 800, 1600};

  /// Loads and links what accepting needs; a class that cannot be loaded stays broken.
  private static final int WARM_UP = 20;

  private final FullHeap heap = new FullHeap(3 << 20);
  private final EpollPoller poller;
  private final Path folder;
  private final Path client;
  private int failures;

  private AcceptFaults(EpollPoller poller, Path folder) {
    this.poller = poller;
    this.folder = folder;
    this.client = folder.resolve("client");
  }

  public static void main(String[] arguments) throws Exception {
    NativeKernel.prepareForShortage();
    EpollPoller poller = EpollPoller.open(new NativeLinuxKernel());
    Path folder = Files.createTempDirectory("accept");
    new AcceptFaults(poller, folder).run();
  }

  private void run() throws Exception {
    Path server = folder.resolve("server");
    int lost =
        lost(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), false)
            + lost(UnixDomainSocketAddress.of(server), true);
    Files.delete(server);
    Files.delete(folder);
    System.out.println(failures + " failed, " + lost + " descriptors lost");
  }

  private int lost(SocketAddress address, boolean unix) throws Exception {
    ChannelSettings settings = unix ? ChannelSettings.UNIX : ChannelSettings.DEFAULT;
    ChannelIo listener = poller.listen(address, settings);
    AcceptEvents events = new AcceptEvents();
    events.failures.add(new OutOfMemoryError()); // the list has room from here on
    events.failures.clear();
    listener.attach(events);
    listener.startReading();
    SocketAddress remote = Objects.requireNonNull(listener.localAddress());
    for (int i = 0; i < WARM_UP; i++) {
      accept(events, remote, unix, -1);
    }
    int before = open();
    for (int room : ROOMS) {
      accept(events, remote, unix, room);
    }
    int lost = open() - before;
    listener.close();
    return lost;
  }

  /// @param room bytes of room in the Java heap, or -1 for enough
  private void accept(AcceptEvents events, SocketAddress remote, boolean unix, int room)
      throws Exception {
    try (SocketChannel socket = unix ? named() : SocketChannel.open()) {
      socket.connect(remote);
      if (room >= 0) {
        heap.fillUpTo(room);
      }
      try {
        poller.poll(0, AcceptFaults::awake);
      } catch (OutOfMemoryError _) {
        // before the listening socket had its turn
      } finally {
        heap.release();
      }
      failures += events.failures.size();
      events.failures.clear();
      poller.poll(0, AcceptFaults::awake); // what was not accepted before
    }
    Files.deleteIfExists(client);
  }

  private static void awake() {}

  /// The address of a client with a name takes more memory than that of one without.
  private SocketChannel named() throws Exception {
    SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(client));
    return socket;
  }

  private static int open() {
    return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
  }
}
