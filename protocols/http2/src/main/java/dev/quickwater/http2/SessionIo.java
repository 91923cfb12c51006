package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpVersion;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Performs the effects of a session's engine on the session's output, and is the connection that
/// exchanges see.
final class SessionIo implements Http2Io, Http2Connection {

  /// Pending bytes above which the output is not writable: the default of channels.
  private static final long HIGH_WATER = 64 << 10;

  private final EventLoop loop;
  private final Http2Session.Output output;
  private final Http2Session session;
  private final AttributeMap attributes = new AttributeMap();
  private final Promise<Void> closed;
  private @Nullable Runnable onCapacity;
  private @Nullable Timer timer;
  private boolean held;
  private boolean flushRequested;
  private boolean turnRequested;
  private boolean capacityRequested;
  private boolean ended;

  SessionIo(EventLoop loop, Http2Session.Output output, Http2Session session) {
    this.loop = loop;
    this.output = output;
    this.session = session;
    this.closed = loop.newPromise();
  }

  boolean isHeld() {
    return held;
  }

  void onCapacity(Runnable action) {
    onCapacity = action;
  }

  /// The session has ended.
  void ended() {
    ended = true;
    wakeAfter(NEVER);
    capacityChanged(); // waiting calls fail
    closed.trySuccess(null);
  }

  // ---- effects ----

  @Override
  public boolean isSecure() {
    return output.tlsSession() != null;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public HttpConnection connection() {
    return this;
  }

  @Override
  public ByteBufAllocator allocator() {
    return loop.allocator();
  }

  @Override
  public long now() {
    return loop.now();
  }

  @Override
  public void write(Payload payload) {
    ByteBuf bytes = (ByteBuf) payload;
    if (ended) {
      bytes.release();
    } else {
      output.write(bytes);
    }
  }

  @Override
  public void write(FileRegion file, Promise<Void> sent) {
    file.release();
    throw new UnsupportedOperationException("files are sent as bytes");
  }

  @Override
  public void flush() {}

  @Override
  public long pendingBytes() {
    return output.pendingBytes();
  }

  @Override
  public boolean isWritable() {
    return output.pendingBytes() <= HIGH_WATER;
  }

  @Override
  public void flushLater() {
    if (!flushRequested) {
      flushRequested = true;
      loop.ready(() -> {
        flushRequested = false;
        session.engine().flushDue();
      });
    }
  }

  @Override
  public void holdInput(boolean hold) {
    held = hold;
  }

  @Override
  public boolean isReadingPaused() {
    return held;
  }

  @Override
  public void resumeSoon() {
    loop.ready(session.engine()::resume);
  }

  @Override
  public boolean takeUnit() {
    return loop.takeUnit(this);
  }

  @Override
  public void resumeLater() {
    if (!turnRequested) {
      turnRequested = true;
      loop.defer(() -> {
        turnRequested = false;
        session.engine().continueTurn();
      });
    }
  }

  @Override
  public void wakeAfter(long nanos) {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    if (nanos != NEVER && !ended) {
      timer = loop.schedule(session.engine()::timerFired, Duration.ofNanos(nanos));
    }
  }

  @Override
  public void closeGracefully(Duration limit, long maxBytes) {
    if (!ended) {
      ended();
      output.end();
      loop.ready(() -> session.engine().closed(null));
    }
  }

  @Override
  public void close() {
    if (!ended) {
      ended();
      output.abort();
    }
  }

  @Override
  public void capacityChanged() {
    if (!capacityRequested && onCapacity != null) {
      capacityRequested = true;
      Runnable action = onCapacity;
      loop.ready(() -> {
        capacityRequested = false;
        action.run();
      });
    }
  }

  @Override
  public String peer() {
    return "a session of " + loop.name();
  }

  // ---- what exchanges see ----

  @Override
  public HttpVersion version() {
    return HttpVersion.HTTP_2;
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return null;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return null;
  }

  @Override
  public @Nullable SSLSession tlsSession() {
    return output.tlsSession();
  }

  @Override
  public AttributeMap attributes() {
    return attributes;
  }

  @Override
  public Future<Void> closed() {
    return closed;
  }

  @Override
  public void drain() {
    if (loop.inLoop()) {
      session.engine().drain();
      return;
    }
    try {
      loop.execute(session.engine()::drain);
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the session with it
    }
  }

  @Override
  public Future<Http2Status> status() {
    return StatusReader.read(session.engine());
  }
}
