package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.examples.EchoServer;
import dev.quickwater.examples.TunnelProxy;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.TunnelRefusedException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A client reaches an echo server through the tunnel, and no other server.
final class TunnelProxyTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Authority ECHO = new Authority("echo.test", 7);

  private static HttpClient through(int port) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    Authority proxy = new Authority("127.0.0.1", port);
    return HttpClient.create(settings.withRequests(settings.requests().withProxy(proxy)));
  }

  @Test
  void bytesPassTheTunnelBothWays() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    try (EventLoopGroup group = EventLoopGroup.create()) {
      Channel echo =
          new ServerBootstrap(
                  group, ChannelSettings.DEFAULT, c -> c.pipeline().addLast(new EchoServer()))
              .listen(LOOPBACK)
              .await(PATIENCE);
      SocketAddress address = echo.localAddress();
      try (RunningServer proxy =
              HttpServer.create(new TunnelProxy(Map.of(ECHO, address))).listen(LOOPBACK);
          HttpClient client = through(proxy.port())) {
        Channel tunnel =
            client
                .tunnel(ECHO, channel -> channel.pipeline().addLast(new Texts(received)))
                .await(PATIENCE);
        tunnel.writeAndFlush(ByteBuf.utf8("hello"));
        assertEquals("hello", received.poll(20, TimeUnit.SECONDS));
        tunnel.shutdownOutput();
        assertEquals("end", received.poll(20, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void otherServersAreRefused() throws Exception {
    try (RunningServer proxy = HttpServer.create(new TunnelProxy(Map.of())).listen(LOOPBACK);
        HttpClient client = through(proxy.port())) {
      Throwable failure =
          assertThrows(ExecutionException.class, () -> client.tunnel(ECHO, _ -> {}).await(PATIENCE))
              .getCause();
      TunnelRefusedException refusal = assertInstanceOf(TunnelRefusedException.class, failure);
      assertEquals(HttpStatus.FORBIDDEN, refusal.response().status());
    }
  }

  private record Texts(BlockingQueue<String> received) implements ChannelHandler {

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      received.add(bytes.readUtf8(bytes.readableBytes()));
      bytes.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      received.add("end");
      context.channel().closeAfterFlush();
    }
  }
}
