package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.http1.Http1ClientHandler;
import dev.quickwater.http2.Http2ClientHandler;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsHandler;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects to an origin: looks up its name and loads the settings of TLS on a virtual thread,
/// because both may block, tries the addresses (RFC 8305, "Happy Eyeballs"), and performs the TLS
/// handshake, or offers HTTP/2 in clear text ([H2cOffer]), on the first connection that succeeds.
/// Through a proxy, a tunnel replaces lookup and attempts. Loop only, except for the work on the
/// virtual thread.
final class Connector {

  /// The recommended delay between attempts (RFC 8305 section 8).
  private static final Duration ATTEMPT_DELAY = Duration.ofMillis(250);

  private final LoopPool pool;
  private final HttpClientSettings settings;
  private final EventLoop loop;
  private final Origin origin;
  private final Promise<ClientHandler> promise;
  private final int exchanges;
  private @Nullable TlsContext tls;
  private InetAddress[] addresses = {};
  private int next;
  private final List<Future<Channel>> attempts = new ArrayList<>();
  private @Nullable Timer following;
  private boolean connected;

  private Connector(LoopPool pool, Origin origin, int exchanges, Promise<ClientHandler> promise) {
    this.pool = pool;
    this.settings = pool.settings();
    this.loop = pool.loop();
    this.origin = origin;
    this.exchanges = exchanges;
    this.promise = promise;
  }

  /// Completes `promise`, a promise of the pool's loop, with the handler of a connection.
  ///
  /// @param exchanges how many exchanges the connection is expected to carry at the same time
  static void connect(LoopPool pool, Origin origin, int exchanges, Promise<ClientHandler> promise) {
    new Connector(pool, origin, exchanges, promise).start();
  }

  private void start() {
    promise.onComplete(done -> {
      if (!done.isSuccess()) {
        stopAttempts();
      }
    });
    boolean literal = isLiteral();
    if (literal && !origin.secure()) {
      tryNext();
    } else {
      Thread.ofVirtual().name("quickwater-lookup").start(() -> prepare(literal));
    }
  }

  private boolean isLiteral() {
    try {
      addresses = new InetAddress[] {InetAddress.ofLiteral(origin.host())};
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private void prepare(boolean literal) {
    try {
      @Nullable TlsContext context = origin.secure() ? pool.tls().context() : null;
      if (context != null) {
        context.checkHost(origin.host());
      }
      InetAddress[] found =
          literal || origin.via() != null ? addresses : pool.names().find(origin.host());
      loop.execute(() -> {
        tls = context;
        addresses = alternating(found);
        if (origin.via() == null) {
          tryNext();
        } else {
          openTunnel(origin.via());
        }
      });
    } catch (UnknownHostException e) {
      UnknownHostException clear = new UnknownHostException("no address for " + origin.host());
      clear.initCause(e);
      promise.tryFailure(clear);
    } catch (RuntimeException | Error e) { // the loop has ended, or TLS cannot be used
      promise.tryFailure(e);
    }
  }

  /// Starts the attempt on the next address. If it does not succeed soon, the following attempt
  /// starts beside it; the first one that succeeds is used (RFC 8305 section 5). On the loop.
  private void tryNext() {
    if (connected || promise.isDone() || next == addresses.length) {
      return;
    }
    InetSocketAddress address = new InetSocketAddress(addresses[next++], origin.port());
    Handshake handshake = new Handshake();
    Future<Channel> attempt =
        new ClientBootstrap(loop, settings.channel(), handshake::initialize).connect(address);
    attempts.add(attempt);
    if (next < addresses.length) {
      following = loop.schedule(this::tryNext, ATTEMPT_DELAY);
    }
    attempt.onComplete(done -> {
      attempts.remove(attempt);
      if (done.isSuccess()) {
        succeeded(handshake, done.value());
      } else if (!connected) {
        failed(Objects.requireNonNull(done.cause()));
      }
    });
  }

  private void succeeded(Handshake handshake, Channel channel) {
    if (connected || promise.isDone()) {
      channel.close();
      return;
    }
    connected = true;
    stopAttempts();
    handshake.connected(channel);
  }

  private void failed(Throwable cause) {
    if (next < addresses.length) {
      cancelFollowing();
      tryNext();
    } else if (attempts.isEmpty()) {
      promise.tryFailure(cause);
    }
  }

  private void stopAttempts() {
    cancelFollowing();
    for (Future<Channel> attempt : List.copyOf(attempts)) {
      attempt.cancel();
    }
  }

  private void cancelFollowing() {
    if (following != null) {
      following.cancel();
      following = null;
    }
  }

  /// The addresses in the order of the system, but alternating between IPv6 and IPv4, so that an
  /// address family that does not work costs one delay (RFC 8305 section 4).
  static InetAddress[] alternating(InetAddress... found) {
    ArrayDeque<InetAddress> same = new ArrayDeque<>();
    ArrayDeque<InetAddress> other = new ArrayDeque<>();
    for (InetAddress address : found) {
      (address.getClass() == found[0].getClass() ? same : other).add(address);
    }
    InetAddress[] ordered = new InetAddress[found.length];
    for (int i = 0; i < ordered.length; i++) {
      boolean takeSame = other.isEmpty() || (!same.isEmpty() && i % 2 == 0);
      ordered[i] = (takeSame ? same : other).remove();
    }
    return ordered;
  }

  private void openTunnel(Authority proxy) {
    Handshake handshake = new Handshake();
    Promise<Channel> tunnel = loop.newPromise();
    tunnel.onComplete(opened -> {
      if (opened.isSuccess()) {
        handshake.connected(opened.value());
      } else if (opened.cause() != null) {
        promise.tryFailure(opened.cause());
      }
    });
    RequestHead head = RequestHead.builder(HttpMethod.CONNECT, origin.toString()).build();
    new TunnelOpening(proxy, head, handshake::initialize, tunnel).start(pool);
  }

  /// One connection until its version of HTTP is known.
  private final class Handshake {

    private @Nullable TlsHandler security;
    private @Nullable ClientHandler handler;

    /// Null if the connection begins with a known version.
    private @Nullable H2cOffer offer;

    void initialize(Channel channel) throws Exception {
      @Nullable TlsContext context = tls;
      if (context == null) {
        add(channel, settings.versions().versions() == Versions.HTTP_2);
        return;
      }
      TlsHandler made = TlsHandler.client(context, origin.host(), origin.port());
      security = made;
      channel.pipeline().addLast(made).addLast(new ProtocolSelector(this::selected));
    }

    private void selected(Channel channel, @Nullable String protocol) throws Exception {
      boolean http2;
      try {
        http2 = settings.versions().selectsHttp2(protocol);
      } catch (IOException e) {
        promise.tryFailure(new IOException(origin + ": " + e.getMessage(), e));
        channel.close();
        return;
      }
      add(channel, http2);
    }

    private void add(Channel channel, boolean http2) throws Exception {
      ClientHandler made;
      if (http2) {
        settings.versions().http2Initializer().initialize(channel);
        made =
            new Http2ClientHandler(
                settings.http2(), exchanges, settings.requests().responses().pushes());
      } else if (exchanges > 1 && H2cOffer.isMade(settings.versions(), origin)) {
        offer =
            new H2cOffer(
                settings.versions(), origin, exchanges, settings.requests().responses().pushes());
        made = offer.handler();
      } else {
        made = new Http1ClientHandler(settings.http1(), origin.peer());
      }
      channel.pipeline().addLast(made);
      handler = made;
    }

    void connected(Channel channel) {
      if (security == null && offer == null) {
        complete();
        return;
      }
      promise.onComplete(done -> {
        if (!done.isSuccess()) {
          channel.close();
        }
      });
      if (offer != null && handler instanceof Http1ClientHandler http1) {
        offer.send(http1, this::answered, promise::tryFailure);
      } else if (security != null) {
        completeAfter(security);
      }
    }

    /// The server has answered the offer to change to HTTP/2.
    private void answered(@Nullable ClientHandler made) {
      if (made == null) {
        connect(pool, origin, 1, promise);
      } else {
        handler = made;
        complete();
      }
    }

    private void completeAfter(TlsHandler tlsHandler) {
      tlsHandler
          .handshake()
          .onComplete(done -> {
            if (done.isSuccess()) {
              loop.ready(this::complete); // after the selector has added the handler
            } else {
              promise.tryFailure(Objects.requireNonNull(done.cause()));
            }
          });
    }

    private void complete() {
      @Nullable ClientHandler made = handler;
      if (made == null) {
        promise.tryFailure(new IOException("the connection closed after its handshake"));
      } else if (!promise.trySuccess(made)) {
        made.connection().close();
      }
    }
  }
}
