package dev.quickwater.channel;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.OutboundBuffer;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A channel between its pipeline and its transport: the state, what is to be sent, why nothing is
/// read.
///
/// Loop thread only, but for the accessors that [Channel] offers to all.
final class ChannelEngine implements ChannelEvents {

  private static final System.Logger LOG = System.getLogger(ChannelEngine.class.getName());

  private final Channel channel;
  private final ChannelIo io;
  private final ChannelSettings settings;
  private final OutboundBuffer outbound = new OutboundBuffer();

  private volatile ChannelState state = ChannelState.NEW;
  private volatile boolean writable = true;
  private volatile boolean registered;

  // Under this object's lock, because any thread may ask for the future.
  private @Nullable Promise<Void> closePromise;
  private boolean closeEnded;

  /// What broke the channel, while its handlers are told and after.
  private @Nullable Throwable failure;

  private int pauseReasons;
  private boolean inputEnded;
  private OutputState output = OutputState.OPEN;
  private @Nullable Promise<Channel> connectPromise;
  private @Nullable Timer connectTimer;
  private @Nullable Timer stallTimer;
  private boolean flushWaits;
  private long lastProgress;
  private long lastSent;
  private @Nullable Linger linger;

  private enum OutputState {
    OPEN,
    /// Our direction ends when what was flushed is sent.
    ENDING,
    ENDED
  }

  ChannelEngine(Channel channel, ChannelIo io, ChannelSettings settings) {
    this.channel = channel;
    this.io = io;
    this.settings = settings;
  }

  // ---- life ----

  /// Ties the transport to this channel and runs the initializer.
  void register(ChannelInitializer initializer) throws Exception {
    registered = true;
    io.attach(this);
    channel.loop().channelOpened();
    initializer.initialize(channel);
  }

  void open() {
    if (state == ChannelState.CLOSED) {
      return; // by its initializer
    }
    state = state.on(ChannelState.Event.OPEN);
    channel.pipeline().fireActive();
    startReading();
  }

  void listen() {
    state = state.on(ChannelState.Event.LISTEN);
    channel.pipeline().fireActive();
    startReading();
  }

  void connect(SocketAddress remote, @Nullable SocketAddress local, Promise<Channel> promise) {
    if (state == ChannelState.CLOSED) {
      promise.tryFailure(new ClosedChannelException()); // by its initializer
      return;
    }
    state = state.on(ChannelState.Event.CONNECT);
    connectPromise = promise;
    promise.onComplete(future -> {
      if (future.isCancelled()) {
        close(null);
      }
    });
    if (state == ChannelState.CLOSED) {
      return; // by that, at once
    }
    connectTimer =
        channel
            .loop()
            .schedule(
                () ->
                    connectFailed(
                        new SocketTimeoutException(
                            "no connection to "
                                + remote
                                + " within connectTimeout, "
                                + settings.connectTimeout())),
                settings.connectTimeout());
    io.connect(remote, local);
  }

  @Override
  public void connected() {
    @Nullable Promise<Channel> promise = endConnecting();
    if (promise != null && !promise.claim()) {
      close(null); // whoever asked has cancelled
    } else if (promise != null) {
      open();
      if (state == ChannelState.CLOSED) {
        promise.tryFailure(failure == null ? new ClosedChannelException() : failure);
      } else {
        promise.trySuccess(channel);
      }
    }
  }

  @Override
  public void connectFailed(Throwable cause) {
    @Nullable Promise<Channel> promise = endConnecting();
    if (promise != null) {
      close(cause);
      promise.tryFailure(cause);
    }
  }

  private @Nullable Promise<Channel> endConnecting() {
    if (connectTimer != null) {
      connectTimer.cancel();
      connectTimer = null;
    }
    @Nullable Promise<Channel> promise = connectPromise;
    connectPromise = null;
    return promise;
  }

  /// Closes; the first call counts. What broke the channel, or else `cause`, goes to the promises
  /// of what was not sent.
  void close(@Nullable Throwable cause) {
    if (state == ChannelState.CLOSED) {
      return;
    }
    boolean wasActive = channel.isActive();
    state = state.on(ChannelState.Event.CLOSE);
    cancelTimers();
    io.close();
    @Nullable Promise<Channel> promise = endConnecting();
    if (promise != null || !outbound.isEmpty()) {
      Throwable known = failure == null ? cause : failure;
      Throwable reason = known == null ? new ClosedChannelException() : known;
      outbound.fail(reason);
      if (promise != null) {
        promise.tryFailure(reason);
      }
    }
    if (wasActive) {
      channel.pipeline().fireInactive();
    }
    channel.pipeline().clear();
    if (registered) {
      channel.loop().channelClosed();
    }
    endClosePromise();
  }

  private void endClosePromise() {
    @Nullable Promise<Void> asked;
    synchronized (this) {
      closeEnded = true;
      asked = closePromise;
    }
    if (asked != null) {
      asked.trySuccess(null);
    }
  }

  private void cancelTimers() {
    if (stallTimer != null) {
      stallTimer.cancel();
      stallTimer = null;
    }
    if (linger != null) {
      linger.cancel();
    }
  }

  synchronized Future<Void> closeFuture() {
    @Nullable Promise<Void> promise = closePromise;
    if (promise == null) {
      promise = channel.loop().newPromise();
      promise.claim(); // it has many consumers, and is no work that one could call off
      if (closeEnded) {
        promise.trySuccess(null);
      }
      closePromise = promise;
    }
    return promise;
  }

  @Override
  public void failed(Throwable cause) {
    // No switch: its table is a class of its own, which a process without descriptors cannot load.
    if (state == ChannelState.CONNECTING) {
      connectFailed(cause);
    } else if (state == ChannelState.LISTENING) {
      channel.pipeline().fireExceptionCaught(cause);
    } else if (state == ChannelState.OPEN) {
      // Handlers that are told may write or flush, and so fail again: that is no further news.
      if (failure == null) {
        failure = cause;
        channel.pipeline().fireExceptionCaught(cause);
        close(cause);
      }
    } else {
      close(cause);
    }
  }

  void failUnhandled(Throwable cause) {
    System.Logger.Level level =
        cause instanceof IOException ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
    try {
      LOG.log(level, () -> "no handler took a failure of " + channel + "; it is closed", cause);
    } finally {
      close(cause); // whatever becomes of the log
    }
  }

  @Override
  public void loopEnding() {
    close(null);
  }

  // ---- reading ----

  @Override
  public void received(ByteBuf bytes) {
    if (state == ChannelState.OPEN) {
      channel.pipeline().fireRead(bytes);
    } else {
      int length = bytes.readableBytes();
      bytes.release();
      if (linger != null) {
        linger.drop(length);
      }
    }
  }

  @Override
  public void accepted(AcceptedSocket socket) {
    channel.pipeline().fireRead(socket);
  }

  @Override
  public void readTurnEnded() {
    if (state == ChannelState.OPEN) {
      channel.pipeline().fireReadComplete();
    }
  }

  @Override
  public void inputEnded() {
    inputEnded = true;
    if (state == ChannelState.LINGERING) {
      if (output == OutputState.ENDED) {
        close(null);
      }
      return;
    }
    channel.pipeline().fireInputClosed();
    if (state == ChannelState.OPEN && (!settings.halfClose() || output == OutputState.ENDED)) {
      close(null);
    }
  }

  void pause(PauseReason reason) {
    int before = pauseReasons;
    pauseReasons |= reason.bit;
    // A lingering channel reads whatever anybody wants, to find the peer's end.
    if (before == 0 && (state == ChannelState.OPEN || state == ChannelState.LISTENING)) {
      io.stopReading();
    }
  }

  void resume(PauseReason reason) {
    pauseReasons &= ~reason.bit;
    startReading();
  }

  private void startReading() {
    if (pauseReasons == 0
        && !inputEnded
        && (state == ChannelState.OPEN || state == ChannelState.LISTENING)) {
      io.startReading();
    }
  }

  boolean isPaused() {
    return pauseReasons != 0;
  }

  // ---- writing ----

  /// Ends the ownership of a message that cannot be written.
  static void refuse(Object message, @Nullable Promise<Void> promise, Throwable cause) {
    release(message);
    if (promise != null) {
      promise.tryFailure(cause);
    }
  }

  private static void release(Object message) {
    if (message instanceof Payload payload) {
      payload.release();
    }
  }

  void write(Object message, @Nullable Promise<Void> promise) {
    if (state != ChannelState.OPEN) {
      if (promise == null) {
        release(message); // everybody has been told
      } else {
        refuse(message, promise, closedException());
      }
    } else if (failure != null) {
      refuse(message, promise, failure);
    } else if (output != OutputState.OPEN) {
      misused(message, promise, new IOException("our direction of the channel has ended"));
    } else if (message instanceof Payload payload) {
      outbound.add(payload, promise);
      afterWrite();
    } else {
      misused(message, promise, unsupported(message));
    }
  }

  private void afterWrite() {
    if (outbound.heldBytes() > settings.hardLimit()) {
      failed(
          new IOException(
              outbound.heldBytes()
                  + " bytes wait to be sent, more than hardLimit, which is "
                  + settings.hardLimit()));
    } else if (writable && outbound.pendingBytes() > settings.highWaterMark()) {
      writable = false;
      channel.pipeline().fireWritabilityChanged();
    }
  }

  private ClosedChannelException closedException() {
    ClosedChannelException closed = new ClosedChannelException();
    if (failure != null) {
      closed.initCause(failure);
    }
    return closed;
  }

  /// Our caller did wrong: it learns that from its promise, or else by an exception event.
  private void misused(Object message, @Nullable Promise<Void> promise, Exception cause) {
    refuse(message, promise, cause);
    if (promise == null) {
      channel.pipeline().fireExceptionCaught(cause);
    }
  }

  private static UnsupportedOperationException unsupported(Object message) {
    return new UnsupportedOperationException(
        "a "
            + message.getClass().getName()
            + " reached the transport, which writes ByteBuf, CompositeByteBuf and FileRegion;"
            + " is an encoder missing?");
  }

  void flush() {
    if (state == ChannelState.OPEN && !outbound.isEmpty()) {
      outbound.flush();
      io.flush();
    }
  }

  @Override
  public void writeProgress() {
    if (!writable && outbound.pendingBytes() <= settings.lowWaterMark()) {
      writable = true;
      if (state == ChannelState.OPEN) {
        channel.pipeline().fireWritabilityChanged();
      }
    }
    if (outbound.hasFlushed()) {
      if (!flushWaits || outbound.sentBytes() != lastSent) {
        flushWaits = true;
        lastSent = outbound.sentBytes();
        lastProgress = channel.loop().now();
      }
      if (stallTimer == null && state != ChannelState.CLOSED) {
        watchStall(settings.stallTimeout());
      }
    } else {
      flushWaits = false;
      if (output == OutputState.ENDING) {
        endOutput();
      }
    }
  }

  /// One timer watches a flush that the kernel did not take whole; it looks at the last progress
  /// when it fires, so that progress itself costs a field.
  private void watchStall(Duration delay) {
    stallTimer =
        channel
            .loop()
            .schedule(
                () -> {
                  stallTimer = null;
                  if (state == ChannelState.CLOSED || !outbound.hasFlushed()) {
                    return;
                  }
                  long waited = channel.loop().now() - lastProgress;
                  long left = settings.stallTimeout().toNanos() - waited;
                  if (left > 0) {
                    watchStall(Duration.ofNanos(left));
                  } else {
                    failed(
                        new SocketTimeoutException(
                            "the peer took none of "
                                + outbound.flushedBytes()
                                + " flushed bytes within stallTimeout, "
                                + settings.stallTimeout()));
                  }
                },
                delay);
  }

  void shutdownOutput() {
    if (state == ChannelState.OPEN && output == OutputState.OPEN) {
      output = OutputState.ENDING;
      flush();
      if (state == ChannelState.OPEN && !outbound.hasFlushed()) {
        endOutput();
      }
    }
  }

  private void endOutput() {
    if (output == OutputState.ENDED || state == ChannelState.CLOSED) {
      return;
    }
    output = OutputState.ENDED;
    try {
      io.shutdownOutput();
    } catch (IOException e) {
      // The connection is gone already; there is nothing to tell the peer.
      close(e);
      return;
    }
    if (inputEnded) {
      close(null);
    } else if (linger != null) {
      linger.awaitPeer();
    }
  }

  // ---- lingering close ----

  void linger(Duration limit, long mostBytes) {
    if (state != ChannelState.OPEN) {
      if (state != ChannelState.LINGERING) {
        close(null);
      }
      return;
    }
    outbound.flush();
    state = state.on(ChannelState.Event.LINGER);
    if (output == OutputState.OPEN) {
      output = OutputState.ENDING;
    }
    linger = new Linger(limit, mostBytes);
    if (outbound.hasFlushed()) {
      io.flush();
    } else if (output == OutputState.ENDED) {
      linger.awaitPeer();
    } else {
      endOutput();
    }
    if (state == ChannelState.LINGERING && !inputEnded) {
      io.startReading();
    }
  }

  /// Waiting for the peer's end. Both limits count from the end of our own direction: before it, a
  /// peer that takes nothing is the stall timer's affair, and closing would cut our last words.
  private final class Linger {
    private final Duration limit;
    private long bytesLeft;
    private @Nullable Timer timer;

    Linger(Duration limit, long mostBytes) {
      this.limit = limit;
      this.bytesLeft = mostBytes;
    }

    void awaitPeer() {
      timer = channel.loop().schedule(() -> close(null), limit);
    }

    void drop(int bytes) {
      if (output == OutputState.ENDED) {
        bytesLeft -= bytes;
        if (bytesLeft < 0) {
          close(null);
        }
      }
    }

    void cancel() {
      if (timer != null) {
        timer.cancel();
      }
    }
  }

  // ---- accessors ----

  @Override
  public ByteBufAllocator allocator() {
    return channel.loop().allocator();
  }

  @Override
  public ChannelSettings settings() {
    return settings;
  }

  @Override
  public OutboundBuffer outbound() {
    return outbound;
  }

  ChannelIo io() {
    return io;
  }

  ChannelState state() {
    return state;
  }

  boolean isWritable() {
    return writable && state == ChannelState.OPEN;
  }

  boolean isRegistered() {
    return registered;
  }

  @Nullable SocketAddress localAddress() {
    return state == ChannelState.CLOSED ? null : io.localAddress();
  }

  @Nullable SocketAddress remoteAddress() {
    return state == ChannelState.CLOSED ? null : io.remoteAddress();
  }
}
