package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http1.Http1ServerHandler;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// The connections of one server: sets them up, counts them against the limit, and closes them.
final class Connections implements ChannelInitializer {

  private final HttpServerSettings settings;
  private final HttpHandler handler;
  private final ConcurrentHashMap<Channel, Http1ServerHandler> open = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<EventLoop, LoopRequests> counters = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Forget forget = new Forget();
  private final Object changed = new Object();
  private volatile boolean draining;

  Connections(HttpServerSettings settings, HttpHandler handler) {
    this.settings = settings;
    this.handler = handler;
  }

  int count() {
    return count.get();
  }

  RequestMetrics requests() {
    RequestMetrics.Sum sum = new RequestMetrics.Sum();
    counters.values().forEach(loop -> loop.addTo(sum));
    return new RequestMetrics(sum);
  }

  @Override
  public void initialize(Channel channel) {
    if (count.incrementAndGet() > settings.maxConnections() || draining) {
      count.decrementAndGet();
      channel.pipeline().addLast(new Refuse());
      return;
    }
    LoopRequests counted =
        counters.computeIfAbsent(channel.loop(), loop -> new LoopRequests(loop, handler));
    Http1ServerHandler http1 = new Http1ServerHandler(settings.http1(), counted);
    open.put(channel, http1);
    channel.pipeline().addLast(forget).addLast(http1);
    if (draining) {
      // The connection was accepted while draining began. The drain may have missed it, because it
      // is not active yet.
      channel.loop().execute(http1::drain);
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
    open.forEach((channel, http1) -> {
      try {
        channel.loop().execute(http1::drain);
      } catch (RejectedExecutionException _) {
        // its loop has ended, and the connection with it
      }
    });
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
