package dev.quickwater.web;

import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;
import dev.quickwater.http1.Http1ClientHandler;
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
  private final Promise<Http1ClientHandler> promise;
  private InetAddress[] addresses = {};
  private int next;

  private Connector(
      HttpClientSettings settings,
      EventLoop loop,
      Origin origin,
      Promise<Http1ClientHandler> promise) {
    this.settings = settings;
    this.loop = loop;
    this.origin = origin;
    this.promise = promise;
  }

  /// Completes `promise`, a promise of `loop`, with the handler of a connection.
  static void connect(
      HttpClientSettings settings,
      EventLoop loop,
      Origin origin,
      Promise<Http1ClientHandler> promise) {
    new Connector(settings, loop, origin, promise).start();
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

  /// On the loop.
  private void tryNext() {
    InetSocketAddress address = new InetSocketAddress(addresses[next++], origin.port());
    Http1ClientHandler handler = new Http1ClientHandler(settings.http1(), origin.peer());
    new ClientBootstrap(loop, settings.channel(), channel -> channel.pipeline().addLast(handler))
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
