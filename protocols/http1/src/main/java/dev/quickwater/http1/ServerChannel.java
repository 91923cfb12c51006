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
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpVersion;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Performs on a channel what the engine asks for, and is the connection that exchanges see.
///
/// It is also the task of the connection's timer, because an idle connection has one pending timer,
/// and a lambda would be a further object. Moving the time of the timer later only writes a field:
/// the timer compares when it fires.
final class ServerChannel implements ServerIo, HttpConnection, Runnable {

  private final Channel channel;
  private final Http1ServerHandler handler;

  private long wakeAt = ConnectionClock.NEVER;
  private long timerAt;
  private @Nullable Timer timer;
  private @Nullable Pause held;
  private boolean flushRequested;

  ServerChannel(Channel channel, Http1ServerHandler handler) {
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
  public boolean takeUnit() {
    return channel.loop().takeUnit(this);
  }

  @Override
  public void resumeSoon() {
    channel.loop().ready(handler.engine()::resume);
  }

  @Override
  public void resumeLater() {
    channel.loop().defer(handler.engine()::continueTurn);
  }

  @Override
  public void closeGracefully() {
    InputLimits limits = handler.engine().settings().input();
    channel.closeGracefully(limits.lingerTimeout(), limits.maxLinger());
  }

  @Override
  public void close() {
    channel.close();
  }

  @Override
  public void reset() {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException | UnsupportedOperationException e) {
      handler.debug("a connection cannot be reset, it is closed", e);
    }
    channel.close();
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

  void cancelTimer() {
    wakeAt = ConnectionClock.NEVER;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  // ---- what exchanges see ----

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
  public void drain() {
    if (channel.loop().inLoop()) {
      handler.drain();
      return;
    }
    try {
      channel.loop().execute(handler::drain);
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the connection with it
    }
  }
}
