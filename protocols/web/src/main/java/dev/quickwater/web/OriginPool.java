package dev.quickwater.web;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.web.HttpClientSettings.Decompression;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The connections from one loop to one origin, and the requests that wait for one.
///
/// - A request uses the connection that became available last, so the other connections can reach
///   their idle timeout. An HTTP/2 connection is available while the server allows another stream.
/// - An HTTP/2 connection that drains may stay open for long. It does not count against the limit
///   of connections.
/// - A connection is opened only for a waiting request. That request uses the first connection that
///   becomes ready, which may be another one.
/// - A failed attempt to connect fails the request that has waited longest.
///
/// Loop only.
final class OriginPool {

  /// The usual stream limit of HTTP/2 servers.
  static final int MULTIPLEXED = 100;

  private final LoopPool pool;
  private final HttpClientSettings settings;
  private final EventLoop loop;
  private final Origin origin;
  private final Runnable onEmpty;
  private final ArrayDeque<Connection> available = new ArrayDeque<>();
  private final Set<Connection> open = new HashSet<>();
  private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
  private int connecting;

  /// The number of open connections that drain: they only complete their exchanges.
  private int retired;

  /// True while [#serve] is on the stack.
  private boolean serving;

  /// The number of exchanges that a new connection is expected to carry: the limit of the last
  /// connection. A first connection that negotiates its version is expected to carry many: only one
  /// is opened until the handshake, or the answer to the offer of HTTP/2, has selected the version.
  private int capacity;

  private boolean closed;

  OriginPool(LoopPool pool, Origin origin, Runnable onEmpty) {
    this.pool = pool;
    this.settings = pool.settings();
    this.loop = pool.loop();
    this.origin = origin;
    this.onEmpty = onEmpty;
    Versions versions = settings.versions().versions();
    boolean negotiates =
        origin.secure() && versions == Versions.BOTH
            || H2cOffer.isMade(settings.versions(), origin);
    this.capacity = negotiates || versions == Versions.HTTP_2 ? MULTIPLEXED : 1;
  }

  private final class Connection {
    final ClientHandler handler;
    boolean isAvailable;
    boolean isRetired;

    Connection(ClientHandler handler) {
      this.handler = handler;
    }

    void capacityChanged() {
      if (handler.isClosed()) {
        retire();
        return;
      }
      capacity = Math.max(1, handler.capacity());
      if (!isAvailable && handler.canOpen()) {
        isAvailable = true;
        available.addLast(this);
        serve();
      }
    }

    private void retire() {
      if (!isRetired && handler.capacity() > 1 && open.contains(this)) {
        isRetired = true;
        retired++;
        connectMore();
      }
    }
  }

  private final class Waiter {
    final RequestHead head;
    final Promise<ClientExchange> promise;

    /// The limits of decompression; null if the response is not decoded.
    final @Nullable Decompression decoding;

    @Nullable Timer timer;

    Waiter(RequestHead head, Promise<ClientExchange> promise) {
      @Nullable Decompression limits = settings.requests().responses().decompression();
      this.decoding = limits != null && DecodedExchange.isFor(head) ? limits : null;
      this.head = decoding == null ? head : DecodedExchange.accepting(head);
      this.promise = promise;
    }

    /// The exchange as its caller sees it.
    ClientExchange shown(ClientExchange exchange) {
      return decoding == null ? exchange : DecodedExchange.of(exchange, decoding);
    }

    void begin() {
      timer = loop.schedule(this::timedOut, settings.pool().waitTimeout());
      promise.onComplete(done -> {
        if (timer != null) {
          timer.cancel();
        }
        if (!done.isSuccess() && waiting.remove(this)) {
          forgetIfEmpty();
        }
      });
    }

    private void timedOut() {
      promise.tryFailure(
          new SocketTimeoutException(
              "no connection to "
                  + origin
                  + " within waitTimeout, "
                  + settings.pool().waitTimeout()
                  + "; "
                  + open.size()
                  + " are open"));
    }
  }

  /// Completes `promise` with an exchange as soon as a connection is available.
  void acquire(RequestHead head, Promise<ClientExchange> promise) {
    Waiter waiter = new Waiter(head, promise);
    @Nullable Connection ready = waiting.isEmpty() ? takeAvailable() : null;
    if (ready != null) {
      give(ready, waiter);
    } else if (closed) {
      promise.tryFailure(new IOException("the client is closed"));
    } else if (usable() >= settings.pool().maxConnections()
        && waiting.size() >= settings.pool().maxWaiting()) {
      promise.tryFailure(
          new RejectedExecutionException(
              "more than maxWaiting, "
                  + settings.pool().maxWaiting()
                  + " requests, wait for a connection to "
                  + origin));
    } else {
      waiting.add(waiter);
      waiter.begin();
      connectMore();
    }
  }

  private @Nullable Connection takeAvailable() {
    for (@Nullable Connection next; (next = available.pollLast()) != null; ) {
      next.isAvailable = false;
      if (next.handler.canOpen()) {
        return next;
      }
    }
    return null;
  }

  private void give(Connection connection, Waiter waiter) {
    Future<ClientExchange> exchange = connection.handler.connection().open(waiter.head);
    if (exchange.isDone()) {
      settle(waiter, exchange);
    } else { // extended CONNECT waits for the settings of the server
      exchange.onComplete(opened -> settle(waiter, opened));
    }
    connection.capacityChanged();
  }

  private static void settle(Waiter waiter, Future<ClientExchange> exchange) {
    if (!exchange.isSuccess()) {
      waiter.promise.tryFailure(Objects.requireNonNull(exchange.cause()));
    } else if (!waiter.promise.trySuccess(waiter.shown(exchange.value()))) {
      exchange.value().reset(ResetCode.CANCEL);
    }
  }

  /// Assigns available connections to waiting requests.
  private void serve() {
    if (serving) {
      return; // the loop below continues with the connection that is available again
    }
    serving = true;
    try {
      @Nullable Connection ready;
      while (!waiting.isEmpty() && (ready = takeAvailable()) != null) {
        give(ready, waiting.remove());
      }
    } finally {
      serving = false;
    }
    connectMore();
  }

  /// The number of connections that carry further exchanges, including those that are being opened.
  private int usable() {
    return open.size() - retired + connecting;
  }

  private void connectMore() {
    while (connecting * (long) capacity < waiting.size()
        && usable() < settings.pool().maxConnections()
        && !closed) {
      connecting++;
      Promise<ClientHandler> attempt = loop.newPromise();
      attempt.onComplete(this::connected);
      Connector.connect(pool, origin, capacity, attempt);
    }
  }

  private void connected(Future<ClientHandler> attempt) {
    connecting--;
    if (attempt.isSuccess()) {
      Connection connection = new Connection(attempt.value());
      if (closed) {
        connection.handler.connection().close();
        return;
      }
      open.add(connection);
      connection.handler.onCapacity(connection::capacityChanged);
      connection.handler.connection().closed().onComplete(_ -> disconnected(connection));
      connection.capacityChanged();
      return;
    }
    @Nullable Waiter first = waiting.poll();
    if (first != null && attempt.cause() != null) {
      first.promise.tryFailure(attempt.cause());
    }
    connectMore();
    forgetIfEmpty();
  }

  private void disconnected(Connection connection) {
    open.remove(connection);
    if (connection.isRetired) {
      retired--;
    }
    if (connection.isAvailable) {
      connection.isAvailable = false;
      available.remove(connection);
    }
    connectMore();
    forgetIfEmpty();
  }

  private void forgetIfEmpty() {
    if (open.isEmpty() && connecting == 0 && waiting.isEmpty()) {
      onEmpty.run();
    }
  }

  int connections() {
    return open.size() + connecting;
  }

  /// Closes all connections and fails the requests that wait.
  void close() {
    closed = true;
    for (Waiter waiter : waiting.toArray(Waiter[]::new)) {
      waiter.promise.tryFailure(new IOException("the client is closed"));
    }
    waiting.clear();
    for (Connection connection : open.toArray(Connection[]::new)) {
      connection.handler.connection().close();
    }
  }
}
