package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.examples.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// The proxy keeps each connection on one loop and its memory flat.
final class TcpProxyTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int CONNECTIONS = 200;
  private static final int CHUNK = 64 << 10;
  private static final int CHUNKS = 24;

  /// What the proxy may hold: its water mark and a read for each of 200 connections.
  private static final long FLAT = 48L << 20;

  private final ConcurrentLinkedQueue<Pause> pauses = new ConcurrentLinkedQueue<>();

  /// Counts what comes in and answers with the count at the end.
  private static final class Counter implements ChannelHandler {
    private long bytes;

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      bytes += buffer.readableBytes();
      buffer.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      context.write(ByteBuf.utf8(Long.toString(bytes)));
      context.shutdownOutput();
    }
  }

  private static Channel backEnd(EventLoopGroup group, java.util.function.Consumer<Channel> made)
      throws Exception {
    return new ServerBootstrap(
            group,
            ChannelSettings.DEFAULT.withHalfClose(true),
            channel -> {
              made.accept(channel);
              channel.pipeline().addLast(new Counter());
            })
        .listen(InVmAddress.any())
        .await();
  }

  private static Channel proxy(EventLoopGroup group, Channel backEnd) throws Exception {
    return TcpProxy.listen(group, new InetSocketAddress(LOOPBACK, 0), address(backEnd)).await();
  }

  private static SocketAddress address(Channel channel) {
    return Objects.requireNonNull(channel.localAddress());
  }

  private static String upload(Channel proxy) throws IOException {
    InetSocketAddress address = (InetSocketAddress) address(proxy);
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      byte[] chunk = new byte[CHUNK];
      for (int i = 0; i < CHUNKS; i++) {
        socket.getOutputStream().write(chunk);
      }
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes());
    }
  }

  /// 300 MB pass after the back end has read nothing at first.
  @Test
  void memoryStaysFlatWhileTheBackEndDoesNotRead() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(2));
        EventLoopGroup backGroup = EventLoopGroup.create(new LoopSettings(1, "nio"));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      Channel backEnd = backEnd(backGroup, channel -> pauses.add(channel.pauseReading("not yet")));
      Channel proxy = proxy(group, backEnd);
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        answers.add(clients.submit(() -> upload(proxy)));
      }
      eventually("all connections", () -> pauses.size() == CONNECTIONS);
      // Each connection has filled what the proxy holds of it.
      eventually("the proxy is full", () -> used(group) > CONNECTIONS * (64L << 10) / 2);
      long peak = used(group);
      pauses.forEach(Pause::close);
      for (Future<String> answer : answers) {
        peak = Math.max(peak, used(group));
        assertEquals(Integer.toString(CHUNK * CHUNKS), answer.get());
      }
      assertTrue(peak < FLAT, peak + " bytes");
    }
  }

  private static long used(EventLoopGroup group) {
    return group.loops().stream().mapToLong(loop -> loop.metrics().usedBytes()).sum();
  }

  /// When a client leaves, exactly one loop loses two channels.
  @Test
  void eachBackEndConnectionIsOnTheLoopOfItsFrontChannel() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(2));
        EventLoopGroup backGroup = EventLoopGroup.create(new LoopSettings(1, "nio"))) {
      Channel proxy = proxy(group, backEnd(backGroup, _ -> {}));
      InetSocketAddress address = (InetSocketAddress) address(proxy);
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets.add(new Socket(address.getAddress(), address.getPort()));
      }
      eventually("both sides", () -> sum(counts(group)) == 2 * CONNECTIONS + 1);
      int[] before = counts(group);
      for (Socket socket : sockets) {
        int left = sum(before) - 2;
        socket.close();
        eventually("two fewer channels", () -> sum(counts(group)) == left);
        int[] after = counts(group);
        assertTrue(before[0] == after[0] || before[1] == after[1]);
        before = after;
      }
    }
  }

  private static int[] counts(EventLoopGroup group) {
    return group.loops().stream().mapToInt(loop -> loop.metrics().channels()).toArray();
  }

  private static int sum(int[] counts) {
    return counts[0] + counts[1];
  }

  private static void eventually(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "not within 30 s: " + what);
      LockSupport.parkNanos(200_000);
    }
  }
}
