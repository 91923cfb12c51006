package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Performs on a channel what the client's engine asks for, and is the connection that callers and
/// exchanges see: requests for exchanges wait here for the exchanges before them.
///
/// It is also the task of the connection's timer, as [ServerChannel] is.
final class ClientChannel implements ClientIo, ClientConnection, Runnable {

  /// Requests for exchanges that wait for a connection: a caller that needs more has no pool.
  private static final int MAX_WAITING = 1000;

  private final Channel channel;
  private final Http1ClientHandler handler;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
  private final List<Runnable> onDrain = new ArrayList<>(0);
  private @Nullable Runnable onIdle;

  private long wakeAt = ConnectionClock.NEVER;
  private long timerAt;
  private @Nullable Timer timer;
  private @Nullable Pause held;
  private boolean flushRequested;
  private boolean closeAnnounced;

  private record Waiting(RequestHead head, Promise<ClientExchange> promise) {}

  ClientChannel(Channel channel, Http1ClientHandler handler) {
    this.channel = channel;
    this.handler = handler;
  }

  // ---- effects ----

  @Override
  public EventLoop loop() {
    return channel.loop();
  }

  @Override
  public HttpConnection connection() {
    return this;
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.loop().allocator();
  }

  @Override
  public long now() {
    return channel.loop().now();
  }

  @Override
  public void write(Payload payload) {
    channel.write(payload);
  }

  @Override
  public void write(FileRegion file, Promise<Void> sent) {
    channel.write(file, sent);
  }

  @Override
  public void flush() {
    channel.flush();
  }

  @Override
  public void flushLater() {
    if (!flushRequested) {
      flushRequested = true;
      channel.loop().ready(this::flushNow);
    }
  }

  private void flushNow() {
    flushRequested = false;
    handler.engine().flushDue();
  }

  @Override
  public boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  public long pendingBytes() {
    return channel.pendingBytes();
  }

  @Override
  public long hardLimit() {
    return channel.settings().writes().hardLimit();
  }

  @Override
  public void holdInput(boolean hold) {
    if (hold && held == null) {
      held = channel.pauseReading("exchange");
    } else if (!hold && held != null) {
      Pause pause = held;
      held = null;
      pause.close();
    }
  }

  @Override
  public boolean isReadingPaused() {
    return channel.isReadingPaused();
  }

  @Override
  public void resumeSoon() {
    channel.loop().ready(handler.engine()::resume);
  }

  @Override
  public void idle() {
    channel.loop().ready(this::becameIdle);
  }

  @Override
  public void closeAnnounced() {
    closeAnnounced = true;
    onDrain.forEach(channel.loop()::ready);
    onDrain.clear();
  }

  @Override
  public void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest) {
    holdInput(false);
    wakeAfter(ConnectionClock.NEVER);
    handler.tunnel(initializer, rest);
  }

  @Override
  public String peer() {
    return String.valueOf(channel.remoteAddress());
  }

  // ---- exchanges that wait ----

  @Override
  public Future<ClientExchange> open(RequestHead head) {
    Promise<ClientExchange> promise = channel.loop().newPromise();
    if (channel.loop().inLoop()) {
      enqueue(new Waiting(head, promise));
    } else {
      try {
        channel.loop().execute(() -> enqueue(new Waiting(head, promise)));
      } catch (RejectedExecutionException e) {
        promise.tryFailure(e);
      }
    }
    return promise;
  }

  private void enqueue(Waiting next) {
    if (handler.engine().isClosed()) {
      next.promise.tryFailure(unprocessed(null));
    } else if (waiting.size() >= MAX_WAITING) {
      next.promise.tryFailure(
          new IllegalStateException(
              MAX_WAITING + " exchanges wait for the connection to " + peer()));
    } else {
      waiting.add(next);
      openWaiting();
    }
  }

  private void openWaiting() {
    while (handler.engine().isIdle() && !waiting.isEmpty()) {
      Waiting next = waiting.remove();
      if (!next.promise.isDone()) {
        ClientExchange opened = handler.engine().open(next.head);
        if (!next.promise.trySuccess(opened)) {
          opened.reset(ResetCode.CANCEL);
        }
      }
    }
  }

  private static ExchangeEndedException unprocessed(@Nullable Throwable cause) {
    return new ExchangeEndedException(
        new Outcome(Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null, 0, 0, cause));
  }

  private void failWaiting(@Nullable Throwable cause) {
    for (@Nullable Waiting next; (next = waiting.poll()) != null; ) {
      next.promise.tryFailure(unprocessed(cause));
    }
  }

  private void becameIdle() {
    openWaiting();
    if (handler.engine().isIdle() && onIdle != null) {
      onIdle.run();
    }
  }

  void onIdle(Runnable action) {
    onIdle = action;
  }

  // ---- the timer ----

  @Override
  public void wakeAfter(long nanos) {
    if (nanos == ConnectionClock.NEVER) {
      wakeAt = ConnectionClock.NEVER;
      return;
    }
    long at = channel.loop().now() + nanos;
    wakeAt = at;
    @Nullable Timer running = timer;
    if (running == null) {
      arm(nanos);
    } else if (at - timerAt < 0) {
      running.cancel();
      arm(nanos);
    }
  }

  private void arm(long nanos) {
    timerAt = channel.loop().now() + nanos;
    timer = channel.loop().schedule(this, Duration.ofNanos(nanos));
  }

  @Override
  public void run() {
    timer = null;
    if (wakeAt == ConnectionClock.NEVER) {
      return;
    }
    long left = wakeAt - channel.loop().now();
    if (left > 0) {
      arm(left);
    } else {
      wakeAt = ConnectionClock.NEVER;
      handler.engine().timerFired();
    }
  }

  /// The channel is closed, or belongs to the handlers of a tunnel.
  void ended(@Nullable Throwable cause) {
    wakeAt = ConnectionClock.NEVER;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    failWaiting(cause);
  }

  // ---- what callers and exchanges see ----

  @Override
  public HttpVersion version() {
    return handler.engine().version();
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return channel.localAddress();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return channel.remoteAddress();
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return null;
  }

  @Override
  public AttributeMap attributes() {
    return channel.attributes();
  }

  @Override
  public Future<Void> closed() {
    return channel.closeFuture();
  }

  @Override
  public void onDrain(Runnable action) {
    onLoop(() -> {
      if (closeAnnounced) {
        action.run();
      } else {
        onDrain.add(action);
      }
    });
  }

  @Override
  public void drain() {
    onLoop(handler.engine()::drain);
  }

  @Override
  public void close() {
    onLoop(channel::close);
  }

  private void onLoop(Runnable task) {
    if (channel.loop().inLoop()) {
      task.run();
      return;
    }
    try {
      channel.loop().execute(task);
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the connection with it
    }
  }
}
