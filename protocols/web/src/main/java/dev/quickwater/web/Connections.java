package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pipeline;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.engine.ServerHandler;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http2.BudgetTrips;
import dev.quickwater.http2.Http2ServerHandler;
import dev.quickwater.proxy.ProxyProtocolHandler;
import dev.quickwater.proxy.ProxyProtocolSettings;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsHandler;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The connections of one server: sets them up, counts them against the limit, and closes them.
final class Connections implements ChannelInitializer {

  private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());

  private final HttpServerSettings settings;
  private final HttpHandler handler;
  private final @Nullable TlsContext tls;
  private final @Nullable ProxyProtocolSettings proxies;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<EventLoop, LoopRequests> counters = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final BudgetTrips trips = new BudgetTrips();
  private final Forget forget = new Forget();
  private final Object changed = new Object();
  private volatile boolean draining;

  Connections(
      HttpServerSettings settings,
      HttpHandler handler,
      @Nullable TlsContext tls,
      @Nullable ProxyProtocolSettings proxies) {
    this.proxies = proxies;
    this.tls = tls;
    this.settings = settings;
    this.handler = handler;
  }

  HttpServerSettings settings() {
    return settings;
  }

  @Nullable TlsContext tls() {
    return tls;
  }

  int count() {
    return count.get();
  }

  RequestMetrics requests() {
    RequestMetrics.Sum sum = new RequestMetrics.Sum();
    counters.values().forEach(loop -> loop.addTo(sum));
    return new RequestMetrics(sum);
  }

  /// How often each budget of HTTP/2 was exceeded.
  Map<String, Long> trips() {
    return trips.counts();
  }

  @Override
  public void initialize(Channel channel) throws Exception {
    if (count.incrementAndGet() > settings.maxConnections() || draining) {
      count.decrementAndGet();
      channel.pipeline().addLast(new Refuse());
      return;
    }
    LoopRequests counted =
        counters.computeIfAbsent(channel.loop(), loop -> new LoopRequests(loop, handler));
    open.add(channel);
    channel.pipeline().addLast(forget);
    if (proxies != null) {
      channel.pipeline().addLast(new ProxyProtocolHandler(proxies));
    }
    if (tls == null) {
      addVersions(channel, counted);
    } else {
      channel
          .pipeline()
          .addLast(TlsHandler.server(tls))
          .addLast(new ProtocolSelector((at, protocol) -> addVersion(at, counted, protocol)));
    }
    if (draining) {
      // The connection was accepted while draining began. The drain may have missed it, because it
      // is not active yet.
      channel.loop().execute(() -> drain(channel));
    }
  }

  private void addVersions(Channel channel, HttpHandler counted) throws Exception {
    Pipeline pipeline = channel.pipeline();
    VersionSettings versions = settings.versions();
    if (versions.versions() == Versions.HTTP_2) {
      addHttp2(channel, counted);
      return;
    }
    boolean both = versions.versions() == Versions.BOTH;
    HttpHandler first =
        both && versions.h2cUpgrade() ? new H2cUpgrade(versions, counted, trips) : counted;
    Http1ServerHandler http1 = new Http1ServerHandler(settings.http1(), first);
    if (both) {
      pipeline.addLast(new VersionDetector(http1, versions, counted, trips));
    }
    pipeline.addLast(http1);
  }

  private void addHttp2(Channel channel, HttpHandler counted) throws Exception {
    settings.versions().http2Initializer().initialize(channel);
    channel.pipeline().addLast(new Http2ServerHandler(settings.http2(), counted, trips));
  }

  /// Adds the handler of the version that the TLS handshake selected.
  private void addVersion(Channel channel, HttpHandler counted, @Nullable String protocol)
      throws Exception {
    boolean http2;
    try {
      http2 = settings.versions().selectsHttp2(protocol);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> channel.remoteAddress() + ": " + e.getMessage());
      channel.closeAfterFlush();
      return;
    }
    if (http2) {
      addHttp2(channel, counted);
    } else {
      channel.pipeline().addLast(new Http1ServerHandler(settings.http1(), counted));
    }
    if (draining) {
      drain(channel);
    }
  }

  /// Begins to drain a connection. One whose TLS handshake is not complete has no exchange and is
  /// closed.
  private static void drain(Channel channel) {
    @Nullable TlsHandler handshake = channel.pipeline().find(TlsHandler.class);
    if (handshake != null && handshake.session() == null) {
      channel.close();
    } else {
      ServerHandler.drain(channel);
    }
  }

  /// Closes a connection above the limit as soon as it is active.
  private static final class Refuse implements ChannelHandler {
    @Override
    public void channelActive(HandlerContext context) {
      context.close();
    }
  }

  /// Removes a closed connection from the map; one instance serves all connections.
  private final class Forget implements ChannelHandler {
    @Override
    public boolean isShareable() {
      return true;
    }

    @Override
    public void handlerRemoved(HandlerContext context) {
      open.remove(context.channel());
      count.decrementAndGet();
      if (draining) {
        synchronized (changed) {
          changed.notifyAll();
        }
      }
    }
  }

  /// Closes each connection when its open exchange has ended.
  ///
  /// @return false if connections were open after `timeout`
  boolean drain(Duration timeout) {
    draining = true;
    for (Channel channel : open) {
      try {
        channel.loop().execute(() -> drain(channel));
      } catch (RejectedExecutionException _) {
        // the loop of the connection has ended, and closed the connection
      }
    }
    long deadline = System.nanoTime() + timeout.toNanos();
    synchronized (changed) {
      while (count.get() > 0) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        try {
          changed.wait(Math.max(1, left / 1_000_000));
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
    return true;
  }
}
