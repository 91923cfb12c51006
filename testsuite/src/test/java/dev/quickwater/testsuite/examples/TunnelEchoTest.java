package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.examples.TunnelEcho;
import dev.quickwater.http.Authority;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.VersionSettings.Versions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TunnelEchoTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private record Texts(BlockingQueue<String> received) implements ChannelHandler {

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      received.add(bytes.readUtf8(bytes.readableBytes()));
      bytes.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      context.close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void tunnelEndsWithTheServer(Versions versions) throws Exception {
    RunningServer server =
        HttpServer.create(new TunnelEcho())
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    Authority proxy = new Authority("127.0.0.1", server.port());
    try (HttpClient client =
        HttpClient.create(
            settings
                .withVersions(settings.versions().with(versions))
                .withRequests(settings.requests().withProxy(proxy)))) {
      BlockingQueue<String> received = new LinkedBlockingQueue<>();
      Channel tunnel =
          client
              .tunnel(
                  new Authority("echo.test", 7),
                  made -> made.pipeline().addLast(new Texts(received)))
              .await(PATIENCE);
      tunnel.writeAndFlush(ByteBuf.utf8("hello"));
      assertEquals("hello", received.poll(20, TimeUnit.SECONDS));
      assertTrue(server.drain(PATIENCE));
      tunnel.closeFuture().await(PATIENCE);
    } finally {
      server.close();
    }
  }
}
