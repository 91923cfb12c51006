package dev.quickwater.web;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopMetrics;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.TransportChoice;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A server that listens. All methods may be called on any thread; [#drain] and [#close] block and
/// must not be called on a loop of the server.
public final class RunningServer implements AutoCloseable {

  private final HttpServerSettings settings;
  private final EventLoopGroup group;
  private final Connections connections;
  private final Channel listener;
  private final @Nullable TlsContext tls;
  private final @Nullable OcspStaples staples;
  private final InetSocketAddress address;
  private final long started = System.nanoTime();

  private RunningServer(
      EventLoopGroup group,
      Connections connections,
      Channel listener,
      @Nullable OcspStaples staples) {
    this.tls = connections.tls();
    this.staples = staples;
    this.settings = connections.settings();
    this.group = group;
    this.connections = connections;
    this.listener = listener;
    this.address = (InetSocketAddress) Objects.requireNonNull(listener.localAddress());
  }

  static RunningServer start(
      HttpServerSettings settings,
      HttpHandler handler,
      HttpServer.Security security,
      InetSocketAddress address) {
    if (security.tls() == null) {
      return start(new Connections(settings, handler, null, security.proxies()), null, address);
    }
    @Nullable OcspStaples staples =
        security.stapling() == null ? null : new OcspStaples(security.stapling());
    @Nullable TlsContext tls = null;
    try {
      TlsSettings negotiated = settings.versions().negotiatedBy(security.tls());
      if (staples == null) {
        tls = TlsContext.server(negotiated);
      } else {
        OcspStaples.Prepared prepared = staples.prepare(negotiated);
        tls = TlsContext.server(prepared.settings());
        staples.use(prepared);
      }
      return start(new Connections(settings, handler, tls, security.proxies()), staples, address);
    } catch (Throwable t) {
      close(tls, staples);
      throw t;
    }
  }

  private static void close(@Nullable TlsContext tls, @Nullable OcspStaples staples) {
    if (staples != null) {
      staples.close();
    }
    if (tls != null) {
      tls.close();
    }
  }

  private static RunningServer start(
      Connections connections, @Nullable OcspStaples staples, InetSocketAddress address) {
    HttpServerSettings settings = connections.settings();
    EventLoopGroup group = EventLoopGroup.create(settings.loops());
    try {
      Channel listener =
          new ServerBootstrap(group, settings.channel(), connections).listen(address).await();
      return new RunningServer(group, connections, listener, staples);
    } catch (ExecutionException e) {
      group.close();
      throw e.getCause() instanceof IOException io
          ? new UncheckedIOException(io.getMessage(), io)
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      group.close();
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new java.io.InterruptedIOException());
    } catch (RuntimeException | Error e) {
      group.close();
      throw e;
    }
  }

  /// The address of the listening socket, with the actual port.
  public InetSocketAddress address() {
    return address;
  }

  /// The port of the listening socket.
  public int port() {
    return address.getPort();
  }

  /// The settings in effect.
  public HttpServerSettings settings() {
    return settings;
  }

  /// The TLS context of this server, with its library and metrics; null for a server in clear text.
  /// The server owns the context and closes it.
  public @Nullable TlsContext tls() {
    return tls;
  }

  /// Uses other settings of TLS for later connections, for example renewed certificates. Open
  /// connections keep theirs. If the settings cannot be used, the server keeps its present ones.
  ///
  /// @throws IllegalStateException if the server was started without TLS
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws UnsupportedOperationException if the settings require a library that is not present
  public void replaceTls(TlsSettings other) {
    if (tls == null) {
      throw new IllegalStateException("the server was started without TLS");
    }
    TlsSettings negotiated = settings.versions().negotiatedBy(other);
    if (staples == null) {
      tls.replace(negotiated);
      return;
    }
    synchronized (staples) { // the fetchers in use belong to the settings in use
      OcspStaples.Prepared prepared = staples.prepare(negotiated);
      tls.replace(prepared.settings());
      staples.use(prepared);
    }
  }

  /// The OCSP responses that the server fetches, by certificate; empty without [OcspStapling].
  public List<OcspStatus> ocsp() {
    return staples == null ? List.of() : staples.status();
  }

  /// The transport in use and the reason for the choice.
  public TransportChoice transport() {
    return group.transport();
  }

  /// The number of open connections.
  public int connections() {
    return connections.count();
  }

  /// Figures of the server's exchanges and event loops.
  public ServerMetrics metrics() {
    return new ServerMetrics(
        Duration.ofNanos(System.nanoTime() - started),
        connections(),
        connections.requests(),
        connections.trips(),
        loops());
  }

  private List<LoopMetrics> loops() {
    return group.loops().stream().map(loop -> loop.metrics()).toList();
  }

  /// Bytes of buffers in use by the loops and by the shared allocator of the process.
  public long usedBytes() {
    long used = ByteBufAllocator.shared().metrics().used();
    for (LoopMetrics loop : loops()) {
      used += loop.usedBytes();
    }
    return used;
  }

  /// Stops accepting connections, lets open exchanges end, and closes all connections, after the
  /// drain timeout of the settings at the latest.
  ///
  /// @return true if every exchange ended within the timeout
  public boolean drain() {
    return drain(settings.drainTimeout());
  }

  /// [#drain()] with another timeout.
  ///
  /// @throws IllegalStateException on a loop of the server, which would wait for itself
  public boolean drain(Duration timeout) {
    if (group.loops().stream().anyMatch(loop -> loop.inLoop())) {
      throw new IllegalStateException(
          "a server cannot be drained on one of its loops, " + Thread.currentThread().getName());
    }
    listener.close();
    boolean drained = connections.drain(timeout);
    group.close();
    close(tls, staples);
    return drained;
  }

  /// [#drain()].
  @Override
  public void close() {
    drain();
  }
}
