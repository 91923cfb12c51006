package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The loops of new channels, the handlers of listening channels, and the futures of a group that
/// ends.
abstract class BootstrapTests extends TransportTest {

  private static final SocketAddress ANY_PORT = new InetSocketAddress(LOOPBACK, 0);

  @Test
  void bootstrapOnALoopConnectsOnThatLoop() throws Exception {
    ServerSocket peer = rawListen();
    EventLoop loop = group.loops().get(1);
    ClientBootstrap bootstrap = new ClientBootstrap(loop, DEFAULT, _ -> {});
    for (int i = 0; i < 10; i++) {
      Channel channel = await(bootstrap.connect(peer.getLocalSocketAddress()));
      assertSame(loop, channel.loop());
      channel.close();
      await(channel.closeFuture());
      rawAccept(peer).close();
    }
  }

  @Test
  void serverOnALoopKeepsItsConnectionsThere() throws Exception {
    EventLoop loop = group.loops().get(0);
    List<Channel> accepted = new CopyOnWriteArrayList<>();
    Channel server = await(new ServerBootstrap(loop, DEFAULT, accepted::add).listen(ANY_PORT));
    for (int i = 0; i < 4; i++) {
      track(new Socket(LOOPBACK, port(server)));
    }
    eventually("four connections", () -> accepted.size() == 4);
    accepted.forEach(channel -> assertSame(loop, channel.loop()));
    server.close();
    accepted.forEach(Channel::close);
  }

  /// Closes each connection before it becomes a channel.
  private static final class Filter implements ChannelHandler {
    final List<SocketAddress> refused = new CopyOnWriteArrayList<>();

    @Override
    public void channelRead(HandlerContext context, Object message) {
      AcceptedSocket socket = (AcceptedSocket) message;
      refused.add(socket.remoteAddress());
      socket.close();
    }
  }

  @Test
  void handlerOfAListeningChannelMayRefuseConnections() throws Exception {
    Filter filter = new Filter();
    List<Channel> accepted = new CopyOnWriteArrayList<>();
    Channel server =
        await(
            new ServerBootstrap(group, DEFAULT, accepted::add)
                .withListener(channel -> channel.pipeline().addLast(filter))
                .listen(ANY_PORT));
    try (Socket socket = new Socket(LOOPBACK, port(server))) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      SocketAddress own = socket.getLocalSocketAddress();
      try {
        assertEquals(-1, socket.getInputStream().read());
      } catch (IOException _) {
        // a reset says the same
      }
      assertEquals(List.of(own), filter.refused);
    }
    assertEquals(List.of(), accepted);
    server.close();
  }

  /// Tasks that an immediate shutdown does not run still complete and release what they hold.
  @Test
  void futuresOfEveryKindEndWhenTheirLoopStopsAtOnce() throws Exception {
    EventLoopGroup brief = EventLoopGroup.create(new LoopSettings(1, transport()));
    Channel server = await(new ServerBootstrap(brief, DEFAULT, _ -> {}).listen(ANY_PORT));
    Channel client = await(new ClientBootstrap(brief, DEFAULT, _ -> {}).connect(address(server)));
    SocketAddress address = address(server);
    CountDownLatch busy = new CountDownLatch(1);
    brief
        .next()
        .execute(() -> {
          try {
            busy.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Promise<Void> written = client.loop().newPromise();
      ByteBuf bytes = ByteBufAllocator.shared().allocate(100).writeBytes(new byte[100]);
      client.writeAndFlush(bytes, written);
      futures.add(written);
      futures.add(new ClientBootstrap(brief, DEFAULT, _ -> {}).connect(address));
      futures.add(new ServerBootstrap(brief, DEFAULT, _ -> {}).listen(ANY_PORT));
    }
    futures.add(client.closeFuture());
    Future<Void> ended = brief.shutdown(Duration.ZERO);
    busy.countDown();
    await(ended);
    for (Future<?> future : futures) {
      eventually("the end of each future", future::isDone);
    }
    assertTrue(client.closeFuture().isSuccess());
  }

  private static final class EchoBytes implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.writeAndFlush(message);
    }
  }

  private static void assertEchoes(Socket socket) throws IOException {
    socket.getOutputStream().write(7);
    assertEquals(7, socket.getInputStream().read());
  }

  private List<Socket> clients(int port, int count) throws IOException {
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Socket client = track(new Socket(LOOPBACK, port));
      client.setSoTimeout((int) LIMIT.toMillis());
      assertEchoes(client);
      clients.add(client);
    }
    return clients;
  }

  @Test
  void listenersOfEachLoopShareThePortAndTheConnections() throws Exception {
    List<Channel> accepted = new CopyOnWriteArrayList<>();
    List<Channel> listeners =
        await(
            new ServerBootstrap(
                    group,
                    DEFAULT,
                    c -> {
                      c.pipeline().addLast(new EchoBytes());
                      accepted.add(c);
                    })
                .listenOnEachLoop(ANY_PORT));
    assertEquals(group.loops(), listeners.stream().map(Channel::loop).toList());
    int port = port(listeners.getFirst());
    listeners.forEach(listener -> assertEquals(port, port(listener)));
    List<Socket> clients = clients(port, 64);
    for (EventLoop loop : group.loops()) {
      assertTrue(accepted.stream().anyMatch(c -> c.loop() == loop), "none on " + loop.name());
    }
    Channel closed = listeners.getFirst();
    closed.close();
    await(closed.closeFuture());
    for (Socket client : clients) {
      assertEchoes(client);
    }
    accepted.clear();
    clients(port, 16);
    accepted.forEach(channel -> assertSame(listeners.get(1).loop(), channel.loop()));
    listeners.forEach(Channel::close);
    accepted.forEach(Channel::close);
  }

  @Test
  void noneListensIfOneLoopCannot() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
      ServerBootstrap bootstrap = new ServerBootstrap(group, DEFAULT, _ -> {});
      Future<List<Channel>> listening = bootstrap.listenOnEachLoop(taken.getLocalSocketAddress());
      eventually("a failure", () -> listening.cause() != null);
    }
  }
}
