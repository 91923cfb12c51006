package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.http1.Http1ClientHandler;
import dev.quickwater.http2.Http2ClientHandler;
import dev.quickwater.web.VersionSettings.Versions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.RejectedExecutionException;

/// Connects to an origin: looks up its name on a virtual thread, because the system's lookup
/// blocks, and tries the addresses one after the other.
final class Connector {

  private final HttpClientSettings settings;
  private final EventLoop loop;
  private final Origin origin;
  private final Promise<ClientHandler> promise;
  private InetAddress[] addresses = {};
  private int next;
  private final int exchanges;

  private Connector(
      HttpClientSettings settings,
      EventLoop loop,
      Origin origin,
      int exchanges,
      Promise<ClientHandler> promise) {
    this.exchanges = exchanges;
    this.settings = settings;
    this.loop = loop;
    this.origin = origin;
    this.promise = promise;
  }

  /// Completes `promise`, a promise of `loop`, with the handler of a connection.
  ///
  /// @param exchanges how many exchanges the connection is expected to carry at the same time
  static void connect(
      HttpClientSettings settings,
      EventLoop loop,
      Origin origin,
      int exchanges,
      Promise<ClientHandler> promise) {
    new Connector(settings, loop, origin, exchanges, promise).start();
  }

  private void start() {
    try {
      addresses = new InetAddress[] {InetAddress.ofLiteral(origin.host())};
    } catch (IllegalArgumentException _) {
      Thread.ofVirtual().name("quickwater-lookup").start(this::lookUp);
      return;
    }
    tryNext();
  }

  private void lookUp() {
    try {
      InetAddress[] found = InetAddress.getAllByName(origin.host());
      loop.execute(() -> {
        addresses = found;
        tryNext();
      });
    } catch (UnknownHostException e) {
      UnknownHostException clear = new UnknownHostException("no address for " + origin.host());
      clear.initCause(e);
      promise.tryFailure(clear);
    } catch (RejectedExecutionException e) {
      promise.tryFailure(e);
    }
  }

  private ClientHandler handler() {
    return settings.versions().versions() == Versions.HTTP_2
        ? new Http2ClientHandler(settings.http2(), exchanges)
        : new Http1ClientHandler(settings.http1(), origin.peer());
  }

  private void initialize(Channel channel, ClientHandler handler) throws Exception {
    if (settings.versions().versions() == Versions.HTTP_2) {
      settings.versions().http2Initializer().initialize(channel);
    }
    channel.pipeline().addLast(handler);
  }

  /// On the loop.
  private void tryNext() {
    InetSocketAddress address = new InetSocketAddress(addresses[next++], origin.port());
    ClientHandler handler = handler();
    new ClientBootstrap(loop, settings.channel(), channel -> initialize(channel, handler))
        .connect(address)
        .onComplete(attempt -> {
          if (attempt.isSuccess()) {
            if (!promise.trySuccess(handler)) {
              handler.connection().close();
            }
          } else if (next < addresses.length && !promise.isDone()) {
            tryNext();
          } else if (attempt.cause() != null) {
            promise.tryFailure(attempt.cause());
          }
        });
  }
}
