package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.tls.TlsHandler;
import dev.quickwater.tls.TlsSession;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Performs the effects of an engine on a channel, and is the connection that exchanges see.
///
/// This object is also the task of the connection's timer, to save an object: an idle connection
/// has one pending timer. Moving a deadline to a later time only writes a field, which is compared
/// when the timer fires.
public abstract class EngineChannel implements EngineIo, HttpConnection, Runnable {

  /// The channel. Callers close it only through this class.
  protected final Channel channel;

  /// True if a handler encrypts the connection.
  private final boolean secure;

  private long wakeAt = NEVER;
  private long timerAt;
  private @Nullable Timer timer;
  private @Nullable Pause held;
  private boolean flushRequested;

  /// The effects of one connection.
  protected EngineChannel(Channel channel) {
    this.channel = channel;
    this.secure = channel.pipeline().find(TlsHandler.class) != null;
  }

  // ---- what an engine provides ----

  /// A flush that was requested with [#flushLater] is due.
  protected abstract void flushDue();

  /// Continues after a pause, as requested with [#resumeSoon].
  protected abstract void resume();

  /// The time of [#wakeAfter] has passed.
  protected abstract void timerFired();

  /// Begins to drain the connection. Loop only.
  protected abstract void beginDrain();

  // ---- effects ----

  @Override
  public final EventLoop loop() {
    return channel.loop();
  }

  @Override
  public final HttpConnection connection() {
    return this;
  }

  @Override
  public final ByteBufAllocator allocator() {
    return channel.loop().allocator();
  }

  @Override
  public final long now() {
    return channel.loop().now();
  }

  @Override
  public final void write(Payload payload) {
    channel.write(payload);
  }

  @Override
  public final void write(FileRegion file, Promise<Void> sent) {
    channel.write(file, sent);
  }

  @Override
  public final void flush() {
    channel.flush();
  }

  @Override
  public final void flushLater() {
    if (!flushRequested) {
      flushRequested = true;
      channel.loop().ready(this::flushNow);
    }
  }

  private void flushNow() {
    flushRequested = false;
    flushDue();
  }

  @Override
  public final boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  public final long pendingBytes() {
    return channel.pendingBytes();
  }

  @Override
  public final void holdInput(boolean hold) {
    if (hold && held == null) {
      held = channel.pauseReading("exchange");
    } else if (!hold && held != null) {
      Pause pause = held;
      held = null;
      pause.close();
    }
  }

  @Override
  public final boolean isReadingPaused() {
    return channel.isReadingPaused();
  }

  @Override
  public final void resumeSoon() {
    channel.loop().ready(this::resume);
  }

  @Override
  public void close() {
    channel.close();
  }

  @Override
  public final boolean isSecure() {
    return secure;
  }

  @Override
  public final String peer() {
    return String.valueOf(channel.remoteAddress());
  }

  // ---- the timer ----

  @Override
  public final void wakeAfter(long nanos) {
    if (nanos == NEVER) {
      wakeAt = NEVER;
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
  public final void run() {
    timer = null;
    if (wakeAt == NEVER) {
      return;
    }
    long left = wakeAt - channel.loop().now();
    if (left > 0) {
      arm(left);
    } else {
      wakeAt = NEVER;
      timerFired();
    }
  }

  /// Cancels a request of [#wakeAfter].
  public final void cancelTimer() {
    wakeAt = NEVER;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  // ---- what exchanges see ----

  @Override
  public final @Nullable SocketAddress localAddress() {
    return channel.localAddress();
  }

  @Override
  public final @Nullable SocketAddress remoteAddress() {
    return channel.remoteAddress();
  }

  @Override
  public final @Nullable SSLSession tlsSession() {
    // The handler precedes those of HTTP for the whole life of the connection, so other threads
    // find it, too.
    @Nullable TlsHandler tls = secure ? channel.pipeline().find(TlsHandler.class) : null;
    @Nullable TlsSession session = tls == null ? null : tls.session();
    return session == null ? null : session.ssl();
  }

  @Override
  public final AttributeMap attributes() {
    return channel.attributes();
  }

  @Override
  public final Future<Void> closed() {
    return channel.closeFuture();
  }

  @Override
  public final void drain() {
    onLoop(this::beginDrain);
  }

  /// Runs a task on the loop. If the loop has ended, so has the connection, and the task is
  /// dropped.
  protected final void onLoop(Runnable task) {
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
