package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.tls.TlsSettings;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A client with a pool of connections.
///
/// ```java
/// try (var client = HttpClient.create()) {
///   System.out.println(client.blocking().get("http://localhost:8080/").text());
/// }
/// ```
///
/// - All methods may be called on any thread. The listeners of a future run on the loop that
///   carries the request.
/// - **Loops:** a client has a few loops, which start with the first request. [#on] returns a
///   client that is bound to a given loop, for example the loop of the server exchange that needs
///   the request: a proxy then copies bytes without a change of thread.
/// - **Pool:** there is one pool of connections for each loop and origin. Every limit and deadline
///   has a finite default ([HttpClientSettings]).
/// - **Cancelling** a future removes the waiting request, or resets its exchange.
/// - **Versions:** with https the handshake selects HTTP/2 or HTTP/1.1. With http it is HTTP/1.1,
///   or HTTP/2 with [VersionSettings.Versions#HTTP_2], or after an offer to the server
///   ([VersionSettings#h2cUpgrade]).
/// - **https** verifies the certificate and the host name of the server with the certificates that
///   the system trusts. [#create(HttpClientSettings, TlsSettings)] takes other rules. With a proxy,
///   https requests use a tunnel.
public final class HttpClient implements AutoCloseable {

  private final HttpClientSettings settings;
  private final Shared shared;
  private final @Nullable EventLoop bound;

  private HttpClient(HttpClientSettings settings, Shared shared, @Nullable EventLoop bound) {
    this.settings = settings;
    this.shared = shared;
    this.bound = bound;
  }

  /// The state that all clients made by [#on] share.
  private static final class Shared {
    final ClientTls tls;
    final NameLookup names;
    final ConcurrentHashMap<EventLoop, LoopPool> pools = new ConcurrentHashMap<>();
    private @Nullable EventLoopGroup group;
    private boolean closed;

    Shared(ClientTls tls, NameLookup names) {
      this.tls = tls;
      this.names = names;
    }

    synchronized EventLoopGroup group(HttpClientSettings settings) throws IOException {
      if (closed) {
        throw new IOException("the client is closed");
      }
      if (group == null) {
        group = EventLoopGroup.create(settings.loops());
      }
      return group;
    }

    synchronized @Nullable EventLoopGroup close() {
      closed = true;
      return group;
    }

    synchronized boolean isClosed() {
      return closed;
    }
  }

  /// A client with the default settings.
  public static HttpClient create() {
    return create(HttpClientSettings.DEFAULT);
  }

  /// A client with settings.
  public static HttpClient create(HttpClientSettings settings) {
    return create(settings, TlsSettings.client());
  }

  /// A client with settings, and with rules for https: trusted certificates, an identity of the
  /// client, versions of TLS. The first https request loads them; if they cannot be used, the
  /// futures of https requests fail with an [IllegalArgumentException] that names the setting, or
  /// with an [UnsupportedOperationException] if the library is missing.
  public static HttpClient create(HttpClientSettings settings, TlsSettings tls) {
    return create(settings, tls, NameLookup.SYSTEM);
  }

  static HttpClient create(HttpClientSettings settings, TlsSettings tls, NameLookup names) {
    ClientTls secure = new ClientTls(settings.versions().negotiatedBy(tls));
    return new HttpClient(settings, new Shared(secure, names), null);
  }

  /// This client, bound to a loop: requests use connections of that loop. Closing one of the
  /// clients closes all of them.
  public HttpClient on(EventLoop loop) {
    return new HttpClient(settings, shared, loop);
  }

  /// The settings.
  public HttpClientSettings settings() {
    return settings;
  }

  /// Sends a GET; see [#send].
  ///
  /// @param uri an absolute http or https URI
  /// @throws IllegalArgumentException if `uri` is not in a form that [RequestHead#builder] accepts
  public Future<HttpResponse> get(String uri) {
    return send(HttpRequest.get(uri));
  }

  /// Sends a request and collects its response. Redirects are followed. The request is repeated if
  /// its connection ended and a repetition is safe, and without `Expect: 100-continue` if the
  /// server answers with 417 (RFC 9110 section 10.1.1).
  ///
  /// @return fails with an [dev.quickwater.http.ExchangeEndedException] if the exchange ended
  ///   early, with an [IOException] if there is no connection or a deadline was reached, among them
  ///   a [dev.quickwater.tls.TlsException] if the TLS handshake fails, and with an
  ///   [IllegalArgumentException] if the request cannot be sent
  public Future<HttpResponse> send(HttpRequest request) {
    RequestHead head = request.head();
    return run(
        head,
        (pool, promise) -> {
          if (head.protocol() != null || head.method().equals(HttpMethod.CONNECT)) {
            promise.tryFailure(
                new IllegalArgumentException(head + " opens a tunnel; it needs open, not send"));
          } else {
            new Sending(pool, settings.requests(), request, promise).start();
          }
        });
  }

  /// Opens an exchange as soon as a connection is available. The caller must read the response to
  /// its end or reset the exchange; otherwise the connection stays in use until the idle timeout.
  /// Listeners of the future run on the loop of the exchange.
  public Future<ClientExchange> open(RequestHead head) {
    return run(head, (pool, promise) -> pool.acquire(head, promise));
  }

  /// Opens a tunnel to a server through the proxy of the settings. With HTTP/2 ([VersionSettings])
  /// a tunnel is a stream, and tunnels share a connection to the proxy.
  ///
  /// @param to with a port
  /// @param initializer adds its handlers before the first byte of the tunnel
  /// @return see [#tunnel(RequestHead, ChannelInitializer)]
  public Future<Channel> tunnel(Authority to, ChannelInitializer initializer) {
    return tunnel(RequestHead.builder(HttpMethod.CONNECT, to.toString()).build(), initializer);
  }

  /// Opens a tunnel by a CONNECT request, which may have fields for the proxy such as
  /// Proxy-Authorization.
  ///
  /// @return the channel inside of the tunnel, which the caller owns. The future completes on the
  ///   loop of the channel. It fails with a [TunnelRefusedException] if the proxy refuses, and with
  ///   an [IOException] if there is no connection or no response
  /// @throws IllegalArgumentException if `connect` is not a CONNECT, or the settings have no proxy
  public Future<Channel> tunnel(RequestHead connect, ChannelInitializer initializer) {
    @Nullable Authority proxy = settings.requests().proxy();
    if (proxy == null) {
      throw new IllegalArgumentException(
          connect + " needs a proxy, and HttpClientSettings.requests().proxy() is null");
    }
    if (!connect.method().equals(HttpMethod.CONNECT)) {
      throw new IllegalArgumentException(connect + " does not open a tunnel, only CONNECT does");
    }
    return run(
        connect,
        (pool, promise) -> new TunnelOpening(proxy, connect, initializer, promise).start(pool));
  }

  private interface Work<T> {
    void start(LoopPool pool, Promise<T> promise);
  }

  private <T> Future<T> run(RequestHead head, Work<T> work) {
    EventLoop loop;
    try {
      loop = loop(head);
    } catch (IOException | IllegalArgumentException e) {
      return failed(e);
    }
    Promise<T> promise = loop.newPromise();
    onLoop(loop, promise, () -> work.start(pool(loop), promise));
    return promise;
  }

  /// A future that has failed; its executor is the bound loop, or any loop of this client.
  private <T> Future<T> failed(Exception cause) {
    try {
      EventLoop loop = bound == null ? shared.group(settings).next() : bound;
      return loop.failed(cause);
    } catch (IOException e) {
      throw new IllegalStateException("the client is closed", e);
    }
  }

  /// The loop of an origin. All callers use the same one and share its connections.
  private EventLoop loop(RequestHead head) throws IOException {
    Origin origin = Origin.of(head, settings.requests().proxy());
    if (bound != null) {
      if (shared.isClosed()) {
        throw new IOException("the client is closed");
      }
      return bound;
    }
    EventLoopGroup group = shared.group(settings);
    return group.loops().get(Math.floorMod(origin.hashCode(), group.loops().size()));
  }

  private LoopPool pool(EventLoop loop) {
    return shared.pools.computeIfAbsent(
        loop,
        key -> {
          key.ended().onComplete(_ -> shared.pools.remove(key));
          return new LoopPool(settings, shared.tls, shared.names, key);
        });
  }

  private static void onLoop(EventLoop loop, Promise<?> promise, Runnable task) {
    if (loop.inLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      promise.tryFailure(e);
    }
  }

  /// Opens a connection outside of the pool.
  ///
  /// @param scheme `http` or `https`
  public Future<ClientConnection> connect(EventLoop loop, String scheme, Authority origin) {
    Promise<ClientConnection> promise = loop.newPromise();
    Origin to;
    try {
      to = Origin.of(scheme, origin);
    } catch (IllegalArgumentException e) {
      promise.tryFailure(e);
      return promise;
    }
    onLoop(loop, promise, () -> connect(loop, to, promise));
    return promise;
  }

  private void connect(EventLoop loop, Origin to, Promise<ClientConnection> promise) {
    Promise<ClientHandler> attempt = loop.newPromise();
    attempt.onComplete(done -> {
      if (!done.isSuccess()) {
        promise.tryFailure(Objects.requireNonNull(done.cause()));
      } else if (!promise.trySuccess(done.value().connection())) {
        done.value().connection().close();
      }
    });
    promise.onComplete(done -> {
      if (done.isCancelled()) {
        attempt.cancel();
      }
    });
    Connector.connect(pool(loop), to, OriginPool.MULTIPLEXED, attempt);
  }

  /// This client for threads that may block, preferably virtual threads.
  public BlockingClient blocking() {
    return new BlockingClient(this);
  }

  /// The number of connections that are open or being opened, on all loops.
  ///
  /// @return completes on `loop`
  Future<Integer> connections(EventLoop loop) {
    return loop.submit(() -> pool(loop).connections());
  }

  /// Closes all connections and ends the loops that this client started.
  @Override
  public void close() {
    @Nullable EventLoopGroup group = shared.close();
    Consumer<LoopPool> closing =
        pool -> {
          if (pool.loop().inLoop()) {
            pool.close();
            return;
          }
          try {
            pool.loop().execute(pool::close);
          } catch (RejectedExecutionException _) {
            // the loop has ended, and its connections with it
          }
        };
    shared.pools.values().forEach(closing);
    if (group != null) {
      group.close();
    }
    shared.tls.close();
  }
}
