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

/// Where channels are made, what a listening channel's handlers see, and the futures of a group
/// that ends.
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

  /// What a shutdown without patience does not run still ends, and returns what it held.
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
}
