package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import dev.quickwater.common.LeakTracker;
import dev.quickwater.common.Promise;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/// Provides two loops of the transport and sockets on the loopback address to each test. Checks
/// after each test that all descriptors and buffers are released.
abstract class TransportTest implements Transport {

  /// Much longer than any step takes. A test that waits for this long has failed.
  static final Duration LIMIT = Duration.ofSeconds(30);

  static final ChannelSettings DEFAULT = ChannelSettings.DEFAULT;

  private final List<Channel> channels = new CopyOnWriteArrayList<>();
  private final List<Closeable> peers = new CopyOnWriteArrayList<>();
  private Baseline baseline = new Baseline(0, 0);
  private long leaks;
  private @Nullable InVmPeers inVmPeers;

  /// The loops under test.
  EventLoopGroup group;

  @BeforeEach
  final void openGroup() throws Exception {
    warmUp();
    leaks = LeakTracker.reportUnreachable();
    baseline = Baseline.now();
    group = EventLoopGroup.create(new LoopSettings(2, transport()));
  }

  /// Objects that a transport creates once per process, such as the memory for off-loop calls, are
  /// no leak.
  private void warmUp() throws Exception {
    if (!WARM.add(anyAddress().getClass().getSimpleName() + transport() + family())) {
      return;
    }
    try (EventLoopGroup once = EventLoopGroup.create(new LoopSettings(1, transport()))) {
      group = once;
      Channel server = listen(DEFAULT, _ -> {});
      Channel client = connect(server, DEFAULT, new ChannelHandler() {});
      client.localAddress();
      // The JDK's sockets create some objects once per process too.
      try (ServerSocket any = new ServerSocket(0, 1, LOOPBACK);
          Socket raw =
              hasSockets()
                  ? family().connect(address(server))
                  : new Socket(LOOPBACK, any.getLocalPort())) {
        raw.setTcpNoDelay(true);
      }
    }
    channels.clear();
  }

  private static final java.util.Set<String> WARM =
      java.util.concurrent.ConcurrentHashMap.newKeySet();

  @AfterEach
  final void everythingIsBack() throws Exception {
    for (Closeable peer : peers) {
      peer.close();
    }
    if (inVmPeers != null) {
      inVmPeers.close();
    }
    for (Channel channel : channels) {
      channel.close();
      await(channel.closeFuture());
    }
    for (EventLoop loop : group.loops()) {
      eventually("no channel left on " + loop, () -> loop.metrics().channels() == 0);
      eventually("no byte in use on " + loop, () -> usedBytes(loop) == 0);
    }
    group.close();
    eventually(
        "descriptors back at " + baseline.descriptors(),
        () -> Baseline.openDescriptors() <= baseline.descriptors());
    assertEquals(baseline.sharedBytes(), Baseline.now().sharedBytes(), "bytes of shared buffers");
    assertEquals(leaks, LeakTracker.reportUnreachable(), "leaks");
  }

  /// Exact only on the loop. An ended loop has released its memory.
  private static long usedBytes(EventLoop loop) {
    try {
      return call(loop, () -> loop.allocator().metrics().used());
    } catch (RejectedExecutionException _) {
      return 0;
    }
  }

  static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  // ---- our ends ----

  final Channel listen(ChannelSettings settings, ChannelInitializer initializer) throws Exception {
    ChannelInitializer tracked =
        channel -> {
          channels.add(channel);
          initializer.initialize(channel);
        };
    SocketAddress free = hasSockets() ? family().freeAddress() : anyAddress();
    Channel server =
        await(new ServerBootstrap(group, family().adapt(settings), tracked).listen(free));
    channels.add(server);
    return server;
  }

  final Channel connect(Channel server, ChannelSettings settings, ChannelHandler handler)
      throws Exception {
    return connect(address(server), settings, handler);
  }

  final Channel connect(SocketAddress address, ChannelSettings settings, ChannelHandler handler)
      throws Exception {
    return await(connecting(address, settings, handler));
  }

  final Future<Channel> connecting(
      SocketAddress address, ChannelSettings settings, ChannelHandler handler) {
    return new ClientBootstrap(
            group,
            family().adapt(settings),
            channel -> {
              channels.add(channel);
              channel.pipeline().addLast(handler);
            })
        .connect(address);
  }

  static SocketAddress address(Channel server) {
    SocketAddress address = server.localAddress();
    if (address == null) {
      throw new AssertionError("not bound: " + server);
    }
    return address;
  }

  /// For what other sockets do not have, or not in this form.
  final void assumeTcp() {
    Assumptions.assumeTrue(hasSockets() && family() == AddressFamily.TCP);
  }

  static int port(Channel server) {
    SocketAddress address = address(server);
    assumeTrue(address instanceof InetSocketAddress, "the test needs sockets");
    return ((InetSocketAddress) address).getPort();
  }

  // ---- the peer, a plain blocking socket ----

  /// False for transports without a kernel.
  final boolean hasSockets() {
    return anyAddress() instanceof InetSocketAddress;
  }

  /// Skips a test that needs a kernel.
  final void needsSockets() {
    assumeTrue(hasSockets(), "the test needs sockets");
  }

  private InVmPeers inVmPeers() {
    if (inVmPeers == null) {
      inVmPeers = new InVmPeers();
    }
    return inVmPeers;
  }

  final Socket rawConnect(Channel server) throws IOException {
    if (!hasSockets()) {
      return track(inVmPeers().connect(address(server)));
    }
    Socket socket = track(family().connect(address(server)));
    socket.setSoTimeout((int) LIMIT.toMillis());
    return socket;
  }

  final ServerSocket rawListen() throws IOException {
    return rawListen(50);
  }

  final ServerSocket rawListen(int backlog) throws IOException {
    if (!hasSockets()) {
      return track(inVmPeers().listen());
    }
    ServerSocket server = track(family().server());
    server.bind(family().freeAddress(), backlog);
    server.setSoTimeout((int) LIMIT.toMillis());
    return server;
  }

  final Socket rawAccept(ServerSocket server) throws IOException {
    Socket socket = track(server.accept());
    socket.setSoTimeout((int) LIMIT.toMillis());
    return socket;
  }

  /// Closes a channel after the test.
  final Channel keep(Channel channel) {
    channels.add(channel);
    return channel;
  }

  final <C extends Closeable> C track(C peer) {
    peers.add(peer);
    return peer;
  }

  /// Closes with a reset instead of a regular end. A Unix socket resets a connection only if it has
  /// unread input.
  static void reset(Socket socket) throws IOException {
    assumeFalse(socket instanceof InVmSocket, "the test needs sockets");
    Assumptions.assumeFalse(socket instanceof UnixPeer, "Unix sockets have no such reset");
    socket.setSoLinger(true, 0);
    socket.close();
  }

  // ---- waiting ----

  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.await(LIMIT);
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /// The failure of a future that must fail.
  static Throwable failureOf(Future<?> future) throws Exception {
    try {
      future.await(LIMIT);
    } catch (java.util.concurrent.ExecutionException e) {
      return e.getCause();
    }
    return fail("it succeeded");
  }

  static <T> T call(EventLoop loop, Callable<T> task) {
    Promise<T> promise = loop.newPromise();
    loop.execute(() -> {
      try {
        promise.success(task.call());
      } catch (Throwable t) {
        promise.failure(t);
      }
    });
    try {
      return await(promise);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static void run(Channel channel, Runnable task) {
    TransportTest.<@org.jspecify.annotations.Nullable Void>call(
        channel.loop(),
        () -> {
          task.run();
          return null;
        });
  }

  static void eventually(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        fail("not within " + LIMIT + ": " + what);
      }
      LockSupport.parkNanos(500_000);
    }
  }
}
