package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.http.engine.ServerHandler;
import dev.quickwater.http1.Http1ClientHandler;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2ClientHandler;
import dev.quickwater.http2.Http2ServerHandler;
import dev.quickwater.http2.Http2Settings;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// A client connected to a handler without a network, for tests of handlers.
///
/// Client and server use the same engines as over a socket, on one loop. On a loop that the test
/// steps, time is the clock of the loop, and nothing happens between steps.
///
/// ```java
/// var http = new LocalHttp(loop, handler, HttpVersion.HTTP_1_1);
/// HttpResponse response = http.send(HttpRequest.get("/hello")).await();
/// ```
public final class LocalHttp implements ClientConnection {

  private static final ChannelSettings CHANNEL = ChannelSettings.DEFAULT.withHalfClose(true);

  private static final Authority LOCAL = Authority.of("localhost");

  private final HttpVersion version;
  private final EventLoop loop;
  private final Promise<ClientHandler> connected;
  private final AttributeMap attributes = new AttributeMap();
  private final Promise<Void> closed;

  /// Connects a client to `handler` on `loop`. May be called on any thread.
  ///
  /// @throws UnsupportedOperationException if `version` is HTTP/1.0
  public LocalHttp(EventLoop loop, HttpHandler handler, HttpVersion version) {
    if (version == HttpVersion.HTTP_1_0) {
      throw new UnsupportedOperationException(version + " is not supported by clients");
    }
    this.version = version;
    this.loop = loop;
    this.connected = loop.newPromise();
    this.closed = loop.newPromise();
    new ServerBootstrap(loop, CHANNEL, channel -> channel.pipeline().addLast(server(handler)))
        .listen(InVmAddress.any())
        .onComplete(listening -> {
          if (listening.isSuccess()) {
            connect(listening.value());
          } else {
            fail(Objects.requireNonNull(listening.cause()));
          }
        });
  }

  private ServerHandler server(HttpHandler handler) {
    return version == HttpVersion.HTTP_2
        ? new Http2ServerHandler(Http2Settings.DEFAULT, handler)
        : new Http1ServerHandler(Http1Settings.DEFAULT, handler);
  }

  private void connect(Channel listener) {
    ClientHandler client =
        version == HttpVersion.HTTP_2
            ? new Http2ClientHandler(Http2Settings.DEFAULT)
            : new Http1ClientHandler(Http1Settings.DEFAULT);
    new ClientBootstrap(loop, CHANNEL, channel -> channel.pipeline().addLast(client))
        .connect(Objects.requireNonNull(listener.localAddress()))
        .onComplete(channel -> {
          listener.close();
          if (channel.isSuccess()) {
            client.connection().closed().onComplete(_ -> closed.trySuccess(null));
            connected.trySuccess(client);
          } else {
            fail(Objects.requireNonNull(channel.cause()));
          }
        });
  }

  private void fail(Throwable cause) {
    connected.tryFailure(cause);
    closed.trySuccess(null);
  }

  /// Sends a request and collects the response. May be called on any thread.
  public Future<HttpResponse> send(HttpRequest request) {
    Promise<HttpResponse> promise = loop.newPromise();
    open(request.head())
        .onComplete(opened -> {
          if (!opened.isSuccess()) {
            promise.tryFailure(Objects.requireNonNull(opened.cause()));
            return;
          }
          ClientExchange exchange = opened.value();
          WholeExchange.send(exchange, request)
              .onComplete(response -> {
                if (response.isSuccess()) {
                  promise.trySuccess(response.value());
                } else {
                  promise.tryFailure(Objects.requireNonNull(response.cause()));
                }
              });
          promise.onComplete(done -> {
            if (done.isCancelled()) {
              exchange.reset(ResetCode.CANCEL);
            }
          });
        });
    return promise;
  }

  @Override
  public Future<ClientExchange> open(RequestHead head) {
    return connected.flatMap(client -> client.connection().open(named(head)));
  }

  /// Adds an authority, which a request on HTTP/2 must have.
  private RequestHead named(RequestHead head) {
    return version == HttpVersion.HTTP_2 && head.authority() == null
        ? head.toBuilder().authority(LOCAL).build()
        : head;
  }

  private @Nullable ClientConnection connection() {
    return connected.isSuccess() ? connected.value().connection() : null;
  }

  @Override
  public HttpVersion version() {
    return version;
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    @Nullable ClientConnection client = connection();
    return client == null ? null : client.localAddress();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    @Nullable ClientConnection client = connection();
    return client == null ? null : client.remoteAddress();
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return null;
  }

  @Override
  public AttributeMap attributes() {
    return attributes;
  }

  @Override
  public Future<Void> closed() {
    return closed;
  }

  @Override
  public void onDrain(Runnable action) {
    whenConnected(client -> client.onDrain(action));
  }

  @Override
  public void drain() {
    whenConnected(ClientConnection::drain);
  }

  @Override
  public void close() {
    whenConnected(ClientConnection::close);
  }

  private void whenConnected(java.util.function.Consumer<ClientConnection> action) {
    try {
      connected.onComplete(client -> {
        if (client.isSuccess()) {
          action.accept(client.value().connection());
        }
      });
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the connection with it
    }
  }
}
