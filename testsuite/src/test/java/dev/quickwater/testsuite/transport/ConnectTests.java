package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelState;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.common.Future;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Connecting, and its failures.
abstract class ConnectTests extends TransportTest {

  @Test
  void bothEndsHaveBothAddresses() throws Exception {
    AtomicReference<Channel> accepted = new AtomicReference<>();
    Channel server = listen(DEFAULT, accepted::set);
    Channel client = connect(server, DEFAULT, new Recorder());
    eventually("the accepted end", () -> accepted.get() != null);
    assertEquals(address(server), client.remoteAddress());
    assertEquals(client.localAddress(), accepted.get().remoteAddress());
    assertEquals(address(server), accepted.get().localAddress());
    assertTrue(client.isActive());
    assertEquals(ChannelState.LISTENING, server.state());
  }

  @Test
  void connectionsSpreadOverTheLoops() throws Exception {
    Set<Object> loops = ConcurrentHashMap.newKeySet();
    Channel server = listen(DEFAULT, channel -> loops.add(channel.loop()));
    for (int i = 0; i < 4; i++) {
      rawConnect(server);
    }
    eventually("both loops", () -> loops.size() == 2);
  }

  @Test
  void refusedConnectionNamesTheAddress() throws Exception {
    assumeTcp();
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, LOOPBACK)) {
      port = free.getLocalPort();
    }
    Recorder recorder = new Recorder();
    Future<Channel> future = connecting(new InetSocketAddress(LOOPBACK, port), DEFAULT, recorder);
    Throwable cause = assertInstanceOf(ConnectException.class, failureOf(future));
    assertTrue(cause.getMessage().contains(":" + port), cause.getMessage());
    assertEquals(List.of(), recorder.events, "a channel that never was active says nothing");
  }

  @Test
  void connectTimeoutWhenTheBacklogIsFull() throws Exception {
    needsSockets();
    assumeFullBacklogIsWaitedFor();
    ServerSocket full = rawListen(1);
    fill(full);
    Future<Channel> future =
        connecting(
            full.getLocalSocketAddress(),
            DEFAULT.withConnectTimeout(Duration.ofMillis(200)),
            new Recorder());
    Throwable cause = assertInstanceOf(SocketTimeoutException.class, failureOf(future));
    assertTrue(cause.getMessage().contains("connectTimeout"), cause.getMessage());
  }

  /// The JDK closes a Unix socket that finds a full backlog.
  private void assumeFullBacklogIsWaitedFor() {
    assumeFalse(transport().equals("nio") && family() == AddressFamily.UNIX);
  }

  private void fill(ServerSocket server) throws IOException {
    for (int i = 0; i < 50; i++) {
      Socket socket = track(family().socket());
      try {
        socket.connect(server.getLocalSocketAddress(), 100);
      } catch (SocketTimeoutException _) {
        return;
      }
    }
    throw new AssertionError("the backlog does not fill");
  }

  @Test
  void closeWhileConnectingFailsTheFuture() throws Exception {
    needsSockets();
    assumeFullBacklogIsWaitedFor();
    ServerSocket full = rawListen(1);
    fill(full);
    List<Channel> made = new CopyOnWriteArrayList<>();
    Future<Channel> future =
        new ClientBootstrap(group, family().adapt(DEFAULT), made::add)
            .connect(full.getLocalSocketAddress());
    eventually("the channel", () -> !made.isEmpty());
    made.getFirst().close();
    assertInstanceOf(ClosedChannelException.class, failureOf(future));
    await(made.getFirst().closeFuture());
  }

  @Test
  void cancelWhileConnectingClosesTheChannel() throws Exception {
    needsSockets();
    assumeFullBacklogIsWaitedFor();
    ServerSocket full = rawListen(1);
    fill(full);
    List<Channel> made = new CopyOnWriteArrayList<>();
    Future<Channel> future =
        new ClientBootstrap(group, family().adapt(DEFAULT), made::add)
            .connect(full.getLocalSocketAddress());
    eventually("the channel", () -> !made.isEmpty());
    assertTrue(future.cancel());
    await(made.getFirst().closeFuture());
    assertTrue(future.isCancelled());
  }

  @Test
  void closeFutureCannotBeCancelled() throws Exception {
    Channel server = listen(DEFAULT, _ -> {});
    Channel channel = connect(server, DEFAULT, new Recorder());
    assertFalse(channel.closeFuture().cancel());
    channel.close();
    await(channel.closeFuture());
  }

  @Test
  void unresolvedAddressFails() throws Exception {
    needsSockets();
    Future<Channel> future =
        connecting(InetSocketAddress.createUnresolved("name.invalid", 80), DEFAULT, new Recorder());
    Throwable cause = assertInstanceOf(UnknownHostException.class, failureOf(future));
    assertTrue(cause.getMessage().contains("name.invalid"), cause.getMessage());
  }

  @Test
  void occupiedPortIsNamed() throws Exception {
    assumeTcp();
    ServerSocket occupied = rawListen();
    BindException e =
        assertThrows(
            BindException.class,
            () ->
                await(
                    new dev.quickwater.channel.ServerBootstrap(group, DEFAULT, _ -> {})
                        .listen(occupied.getLocalSocketAddress())));
    assertTrue(e.getMessage().contains(":" + occupied.getLocalPort()), e.getMessage());
  }

  @Test
  void localAddressCanBeChosen() throws Exception {
    assumeTcp();
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, LOOPBACK)) {
      port = free.getLocalPort();
    }
    Channel server = listen(DEFAULT, _ -> {});
    Channel client =
        await(
            new ClientBootstrap(group, family().adapt(DEFAULT), _ -> {})
                .connect(address(server), new InetSocketAddress(LOOPBACK, port)));
    assertEquals(port, port(client));
    client.close();
    await(client.closeFuture());
  }

  @Test
  void initializerThatThrowsClosesItsChannelAlone() throws Exception {
    AtomicReference<Boolean> fail = new AtomicReference<>(true);
    Channel server =
        listen(
            DEFAULT,
            channel -> {
              if (fail.getAndSet(false)) {
                throw new IllegalStateException("on purpose");
              }
              channel.pipeline().addLast(new Echo());
            });
    assertEquals(-1, rawConnect(server).getInputStream().read());
    Socket next = rawConnect(server);
    next.getOutputStream().write('x');
    assertEquals('x', next.getInputStream().read());
  }

  @Test
  void initializerMayCloseTheChannel() throws Exception {
    Channel server = listen(DEFAULT, Channel::close);
    assertEquals(-1, rawConnect(server).getInputStream().read());
    Future<Channel> future =
        new ClientBootstrap(group, family().adapt(DEFAULT), Channel::close)
            .connect(address(server));
    assertInstanceOf(ClosedChannelException.class, failureOf(future));
  }

  @Test
  void closingTheServerEndsAcceptingAndKeepsConnections() throws Exception {
    needsSockets();
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Socket before = rawConnect(server);
    before.getOutputStream().write('a');
    assertEquals('a', before.getInputStream().read());
    SocketAddress address = address(server);
    server.close();
    await(server.closeFuture());
    // NIO closes the descriptor in its next turn.
    eventually("no further connection", () -> !accepts(address));
    before.getOutputStream().write('b');
    assertEquals('b', before.getInputStream().read());
  }

  private boolean accepts(SocketAddress address) {
    try (Socket _ = family().connect(address)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void resultsComeOnTheChannelsLoop() throws Exception {
    Channel server = listen(DEFAULT, _ -> {});
    AtomicReference<Boolean> onLoop = new AtomicReference<>();
    Future<Channel> future = connecting(address(server), DEFAULT, new Recorder());
    future.onComplete(done -> onLoop.set(done.value().loop().inLoop()));
    await(future);
    eventually("the listener", () -> onLoop.get() != null);
    assertTrue(onLoop.get());
  }

  @Test
  void connectingOnAnEndedGroupFails() throws Exception {
    Channel server = listen(DEFAULT, _ -> {});
    dev.quickwater.channel.EventLoopGroup ended =
        dev.quickwater.channel.EventLoopGroup.create(
            new dev.quickwater.channel.LoopSettings(1, transport()));
    ended.close();
    Future<Channel> future = new ClientBootstrap(ended, DEFAULT, _ -> {}).connect(address(server));
    assertFalse(future.isSuccess());
    failureOf(future);
  }

  @Test
  void tenThousandShortConnections() throws Exception {
    needsSockets();
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    byte[] buffer = new byte[4];
    for (int i = 0; i < 10_000; i++) {
      try (Socket socket = family().connect(address(server))) {
        if (i % 4 == 0) {
          socket.getOutputStream().write(i);
          assertEquals(1, socket.getInputStream().read(buffer));
          assertEquals((byte) i, buffer[0]);
        }
        // Avoids TIME_WAIT, which would occupy ten thousand ports for a minute.
        socket.setSoLinger(true, 0);
      }
    }
    Channel after = connect(server, DEFAULT, new Recorder());
    after.writeAndFlush(ByteBuf.utf8("still there"));
    eventually("an answer", () -> recorder(after).received == 11);
  }

  private static Recorder recorder(Channel channel) {
    return call(
        channel.loop(),
        () -> java.util.Objects.requireNonNull(channel.pipeline().find(Recorder.class)));
  }
}
