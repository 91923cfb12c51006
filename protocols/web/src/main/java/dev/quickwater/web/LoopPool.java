package dev.quickwater.web;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The connections of a client on one loop, by origin. Loop only.
final class LoopPool {

  private final HttpClientSettings settings;
  private final ClientTls tls;
  private final NameLookup names;
  private final EventLoop loop;
  private final Map<Origin, OriginPool> origins = new HashMap<>();
  private boolean closed;

  LoopPool(HttpClientSettings settings, ClientTls tls, NameLookup names, EventLoop loop) {
    this.names = names;
    this.settings = settings;
    this.tls = tls;
    this.loop = loop;
  }

  EventLoop loop() {
    return loop;
  }

  HttpClientSettings settings() {
    return settings;
  }

  ClientTls tls() {
    return tls;
  }

  NameLookup names() {
    return names;
  }

  /// Completes `promise`, a promise of the loop, with an exchange.
  void acquire(RequestHead head, Promise<ClientExchange> promise) {
    if (closed) {
      promise.tryFailure(new IOException("the client is closed"));
      return;
    }
    Origin origin;
    try {
      origin = Origin.of(head, settings.requests().proxy());
    } catch (IllegalArgumentException e) {
      promise.tryFailure(e);
      return;
    }
    origins
        .computeIfAbsent(origin, key -> new OriginPool(this, key, () -> origins.remove(key)))
        .acquire(head, promise);
  }

  /// The number of connections that are open or being opened.
  int connections() {
    return origins.values().stream().mapToInt(OriginPool::connections).sum();
  }

  void close() {
    closed = true;
    List.copyOf(origins.values()).forEach(OriginPool::close);
  }
}
