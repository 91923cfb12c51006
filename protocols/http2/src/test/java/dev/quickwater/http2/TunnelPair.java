package dev.quickwater.http2;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A client and a server of HTTP/2 on one loop, which the test steps.
final class TunnelPair implements AutoCloseable {

  private static final ChannelSettings CHANNEL = ChannelSettings.DEFAULT.withHalfClose(true);

  final EmbeddedChannel host = new EmbeddedChannel();
  final Http2ClientHandler client = new Http2ClientHandler(Http2Settings.DEFAULT);
  private @Nullable Http2ServerHandler serverHandler;
  final List<ResponseHead> responses = new ArrayList<>();

  TunnelPair(HttpHandler handler) throws Exception {
    Future<Channel> listening =
        new ServerBootstrap(
                host.loop(),
                CHANNEL,
                made -> {
                  serverHandler = new Http2ServerHandler(Http2Settings.DEFAULT, handler);
                  made.pipeline().addLast(serverHandler);
                })
            .listen(InVmAddress.any());
    run();
    Future<Channel> connected =
        new ClientBootstrap(host.loop(), CHANNEL, made -> made.pipeline().addLast(client))
            .connect(Objects.requireNonNull(listening.value().localAddress()));
    run();
    listening.value().close();
    connected.value();
  }

  /// The connection of the server.
  HttpConnection serverConnection() {
    return Objects.requireNonNull(serverHandler).engine().io.connection();
  }

  /// Runs tasks until there are none.
  void run() {
    for (int i = 0; i < 10_000 && host.loop().step() > 0; i++) {
      // each step runs tasks
    }
  }

  void advance(Duration time) {
    host.advance(time);
    run();
  }

  static RequestHead connect() {
    return RequestHead.builder(HttpMethod.CONNECT, "origin.test:443").build();
  }

  /// Requests a tunnel.
  Future<ClientExchange> open(RequestHead head, ChannelInitializer initializer) {
    Future<ClientExchange> opened = client.connection().open(head);
    opened.onComplete(done -> {
      if (done.isSuccess()) {
        ClientExchange exchange = done.value();
        exchange.onResponse(response -> {
          responses.add(response);
          if (exchange.isTunnel()) {
            exchange.tunnel(initializer);
          }
        });
      }
    });
    return opened;
  }

  @Override
  public void close() {
    client.connection().close();
    run();
    host.close();
  }
}
