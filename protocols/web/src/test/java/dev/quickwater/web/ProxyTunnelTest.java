package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.TunnelDrain;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CONNECT through a proxy that is our server.
final class ProxyTunnelTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /// Sends back what it receives.
  private static final class Echo implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.write(message);
      context.flush();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      context.close();
    }
  }

  /// Keeps what it receives as text.
  private static final class Recorder implements ChannelHandler {
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      byte[] copy = new byte[bytes.readableBytes()];
      bytes.readBytes(copy, 0, copy.length);
      bytes.release();
      received.add(new String(copy, StandardCharsets.US_ASCII));
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      context.close();
    }
  }

  private static HttpClient through(int port) {
    return through(port, Versions.HTTP_1_1);
  }

  private static HttpClient through(int port, Versions versions) {
    HttpClientSettings settings =
        HttpClientSettings.DEFAULT
            .withLoops(new LoopSettings(1, "nio"))
            .withVersions(HttpClientSettings.DEFAULT.versions().with(versions));
    return HttpClient.create(
        settings.withRequests(settings.requests().withProxy(new Authority("127.0.0.1", port))));
  }

  /// On HTTP/1.1 the connection of a request without a tunnel closes, on HTTP/2 only the stream.
  private static void awaitNothingOpen(RunningServer server, Versions versions) {
    Baseline.await("exchange ended", () -> server.metrics().requests().active() == 0);
    int connections = versions == Versions.HTTP_2 ? 1 : 0;
    Baseline.await("connections", () -> server.connections() == connections);
  }

  private static Throwable failure(Future<?> future) {
    Throwable cause =
        assertThrows(ExecutionException.class, () -> future.await(PATIENCE)).getCause();
    assertNotNull(cause);
    return cause;
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void tunnelIsAChannelToTheServer(Versions versions) throws Exception {
    BlockingQueue<String> targets = new LinkedBlockingQueue<>();
    HttpHandler proxy =
        x -> {
          targets.add(x.request() + " " + x.request().headers().get("proxy-authorization"));
          x.tunnel(HttpHeaders.EMPTY, channel -> channel.pipeline().addLast(new Echo()));
        };
    try (RunningServer server = Servers.start("nio", proxy);
        HttpClient client = through(server.port(), versions)) {
      Recorder recorder = new Recorder();
      RequestHead head =
          RequestHead.builder(HttpMethod.CONNECT, "origin.test:443")
              .add("proxy-authorization", "Basic eA==")
              .build();
      Channel channel =
          client.tunnel(head, made -> made.pipeline().addLast(recorder)).await(PATIENCE);
      assertEquals("CONNECT origin.test:443 Basic eA==", targets.take());
      channel.write(ByteBuf.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
      channel.flush();
      assertEquals("hello", recorder.received.poll(20, TimeUnit.SECONDS));
      channel.close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void refusalOfTheProxyIsNamed(Versions versions) throws Exception {
    HttpHandler proxy =
        x ->
            x.respond(
                HttpResponse.of(
                    HttpStatus.PROXY_AUTHENTICATION_REQUIRED, "proxy-authenticate", "Basic"));
    try (RunningServer server = Servers.start("nio", proxy);
        HttpClient client = through(server.port(), versions)) {
      Throwable cause = failure(client.tunnel(new Authority("origin.test", 443), _ -> {}));
      TunnelRefusedException refusal = assertInstanceOf(TunnelRefusedException.class, cause);
      assertEquals(
          "the proxy 127.0.0.1:"
              + server.port()
              + " refused a tunnel to origin.test:443: 407 Proxy Authentication Required",
          refusal.getMessage());
      assertEquals("Basic", refusal.response().headers().get("proxy-authenticate"));
      awaitNothingOpen(server, versions);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void proxyThatClosesFailsTheTunnel(Versions versions) throws Exception {
    try (ServerSocket proxy = new ServerSocket(0);
        HttpClient client = through(proxy.getLocalPort(), versions)) {
      Future<Channel> tunnel = client.tunnel(new Authority("origin.test", 443), _ -> {});
      proxy.accept().close();
      assertInstanceOf(IOException.class, failure(tunnel));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void cancelledTunnelClosesItsConnection(Versions versions) throws Exception {
    BlockingQueue<String> targets = new LinkedBlockingQueue<>();
    HttpHandler silent = x -> targets.add(x.request().toString());
    try (RunningServer server = Servers.start("nio", silent);
        HttpClient client = through(server.port(), versions)) {
      Future<Channel> tunnel = client.tunnel(new Authority("origin.test", 443), _ -> {});
      assertEquals("CONNECT origin.test:443", targets.poll(20, TimeUnit.SECONDS));
      assertTrue(tunnel.cancel());
      awaitNothingOpen(server, versions);
    }
  }

  @Test
  void tunnelsThroughAProxyOfHttp2ShareItsConnection() throws Exception {
    HttpHandler proxy =
        x -> x.tunnel(HttpHeaders.EMPTY, channel -> channel.pipeline().addLast(new Echo()));
    try (RunningServer server = Servers.start("nio", proxy);
        HttpClient client = through(server.port(), Versions.HTTP_2)) {
      List<Channel> tunnels = new ArrayList<>();
      Recorder recorder = new Recorder();
      for (int i = 0; i < 10; i++) {
        Recorder end = i == 0 ? recorder : new Recorder();
        tunnels.add(
            client
                .tunnel(
                    new Authority("origin.test", 1000 + i), made -> made.pipeline().addLast(end))
                .await(PATIENCE));
      }
      tunnels.getLast().close();
      tunnels.getFirst().writeAndFlush(ByteBuf.utf8("hello"));
      assertEquals("hello", recorder.received.poll(20, TimeUnit.SECONDS));
      assertEquals(1, server.connections());
    }
  }

  /// Ends a tunnel in order when the server stops.
  private static final class Goodbye implements ChannelHandler {
    @Override
    public void userEvent(HandlerContext context, Object event) {
      if (event == TunnelDrain.INSTANCE) {
        context.writeAndFlush(ByteBuf.utf8("bye"));
        context.channel().closeAfterFlush();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void drainDoesNotWaitForTunnelsThatEndInOrder(Versions versions) throws Exception {
    HttpHandler proxy =
        x -> x.tunnel(HttpHeaders.EMPTY, channel -> channel.pipeline().addLast(new Goodbye()));
    Recorder recorder = new Recorder();
    RunningServer server = Servers.start("nio", proxy);
    try (HttpClient client = through(server.port(), versions)) {
      Channel tunnel =
          client
              .tunnel(new Authority("origin.test", 443), made -> made.pipeline().addLast(recorder))
              .await(PATIENCE);
      assertTrue(server.drain(PATIENCE), "drained before the limit");
      assertEquals("bye", recorder.received.poll(20, TimeUnit.SECONDS));
      tunnel.closeFuture().await(PATIENCE);
    } finally {
      server.close();
    }
  }

  @Test
  void tunnelNeedsAProxyAndAConnect() {
    try (HttpClient direct = HttpClient.create();
        HttpClient client = through(1)) {
      assertThrows(
          IllegalArgumentException.class, () -> direct.tunnel(new Authority("a", 1), _ -> {}));
      assertThrows(
          IllegalArgumentException.class,
          () -> client.tunnel(RequestHead.get("http://a/"), _ -> {}));
    }
  }
}
