package dev.quickwater.channel;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.account.ChannelAccount;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;
import dev.quickwater.util.setting.SettingCheck;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A channel between its pipeline and its transport: performs what its [Lifecycle] decides.
///
/// - **Nothing nests.** Some actions must not run inside the call of a handler: off-loop flushes,
///   failures, writability changes caused by a drain or a promise, and the end of the channel. They
///   are marked as due. The loop performs them when no caller is on the stack.
/// - **Closing** has two parts. [#close] disconnects at once. Later, in this order: the promises of
///   unsent messages fail, one exception event reports lost messages without promise, the handlers
///   see the channel inactive and are removed, and the close future succeeds.
///
/// Loop thread only, except for the accessors that [Channel] offers to all threads.
final class ChannelCore extends ChannelEnd implements ChannelEvents, Runnable {

  private static final System.Logger LOG = System.getLogger(ChannelCore.class.getName());

  // The actions that may be due, in the order in which they are performed.
  private static final int FLUSH = 1;
  private static final int MESSAGE_FAILED = 1 << 1;
  private static final int FAILED = 1 << 2;
  private static final int WRITABILITY = 1 << 3;
  private static final int END = 1 << 4;

  private final Channel channel;
  private final ChannelIo io;
  private final ChannelSettings settings;

  private static final VarHandle LIFE;
  private static final VarHandle REGISTERED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LIFE = lookup.findVarHandle(ChannelCore.class, "life", Lifecycle.class);
      REGISTERED = lookup.findVarHandle(ChannelCore.class, "registered", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Written by the loop with release order, which needs no fence.
  private volatile Lifecycle life;
  private volatile boolean registered;

  /// The place in the loop's list of channels.
  int slot;

  /// The actions that are due, as bits.
  private byte due;

  private boolean stopped;
  private boolean wasActive;
  private boolean notifying;
  private @Nullable Pause pauses;
  private @Nullable Phase phase;
  private @Nullable LostMessages lost;

  @SuppressWarnings("NullAway.Init") // the handle sets the state
  ChannelCore(Channel channel, ChannelIo io, ChannelSettings settings) {
    this.channel = channel;
    this.io = io;
    this.settings = settings;
    LIFE.set(this, Lifecycle.NEW);
  }

  // ---- opening ----

  /// Attaches this channel to its transport and runs the initializer.
  ///
  /// @throws RejectedExecutionException if the loop is ending
  void register(ChannelInitializer initializer) throws Exception {
    loop().requireNotEnding();
    REGISTERED.setRelease(this, true);
    io.attach(this);
    loop().channels().add(this);
    initializer.initialize(channel);
  }

  void open() {
    on(Lifecycle.Event.OPEN);
  }

  void listen() {
    on(Lifecycle.Event.LISTEN);
  }

  void connect(
      ConnectingIo connecting,
      SocketAddress remote,
      @Nullable SocketAddress local,
      Promise<Channel> promise) {
    on(Lifecycle.Event.CONNECT);
    if (life == Lifecycle.CLOSED) {
      promise.tryFailure(new ClosedChannelException()); // by its initializer
      return;
    }
    ConnectAttempt started = new ConnectAttempt(promise);
    phase = started;
    started.start(this, loop(), remote);
    if (life == Lifecycle.CONNECTING) {
      connecting.connect(remote, local);
    }
  }

  @Override
  public void connected() {
    loop().progress().event(channel);
    if (!(phase instanceof ConnectAttempt ended)) {
      return;
    }
    phase = null;
    ended.end();
    if (!ended.promise.claim()) {
      close(Outcome.Kind.CLOSED, null); // the caller has cancelled
      return;
    }
    try {
      open();
    } catch (Throwable t) {
      close(Outcome.Kind.FAILED, t);
    }
    if (life == Lifecycle.CLOSED) {
      ended.promise.tryFailure(reason());
    } else {
      ended.promise.trySuccess(channel);
    }
  }

  // ---- the state machine ----

  private void on(Lifecycle.Event event) {
    on(event, Outcome.Kind.CLOSED, null);
  }

  /// Performs the action of an event. `kind` and `cause` are the outcome if the action closes the
  /// channel.
  private void on(Lifecycle.Event event, Outcome.Kind kind, @Nullable Throwable cause) {
    Lifecycle.Step step = life.on(event);
    if (step.next() == Lifecycle.CLOSED) {
      setOutcome(kind, cause);
    }
    LIFE.setRelease(this, step.next());
    switch (step.action()) {
      case NOTHING, CONNECT -> {}
      case ACTIVATE -> {
        channel.pipeline().fireActive();
        startReading();
      }
      case REPORT_INPUT_ENDED -> reportInputEnded();
      case END_OUTPUT -> {
        io.flush();
        io.shutdownOutput();
      }
      case LINGER -> {
        io.flush();
        io.shutdownOutput();
        discardInput();
      }
      case AWAIT_PEER -> {
        if (phase instanceof Linger linger) {
          linger.awaitPeer();
        }
        discardInput();
      }
      case CLOSE -> closeTransport(false);
      case CLOSE_ACTIVE -> closeTransport(true);
    }
  }

  /// A channel that closes gracefully reads even while paused: it must find the peer's end.
  private void discardInput() {
    if ((life == Lifecycle.LINGER_SENDING || life == Lifecycle.LINGER_WAITING)
        && !isLingerExceeded()) {
      io.startReading();
    }
  }

  private boolean isLingerExceeded() {
    return phase instanceof Linger linger && linger.isExceeded();
  }

  private void reportInputEnded() {
    channel.pipeline().fireInputClosed();
    if (life.visible == ChannelState.OPEN
        && (!settings.halfClose() || life == Lifecycle.BOTH_ENDED)) {
      close(Outcome.Kind.PEER_ENDED, null);
    }
  }

  // ---- closing ----

  /// Closes. Later calls have no effect.
  void close(Outcome.Kind kind, @Nullable Throwable cause) {
    on(Lifecycle.Event.CLOSE, kind, cause);
  }

  private void closeTransport(boolean active) {
    wasActive = active;
    if (phase != null) {
      phase.end();
    }
    io.close();
    later(END);
  }

  /// The second part of closing.
  private void end() {
    Throwable reason = reason();
    try {
      notifyEnd(reason);
    } finally {
      leave(reason); // even if a transport or a log failed: the loop waits for its channels
    }
  }

  private void notifyEnd(Throwable reason) {
    int unsent = registered ? io.abandon(reason) + (lost == null ? 0 : lost.lateWrites) : 0;
    if (wasActive) {
      if (unsent > 0 && !isFailureReported()) {
        channel.pipeline().fireExceptionCaught(new LostMessagesException(unsent, reason));
      }
      channel.pipeline().fireInactive();
    }
    channel.pipeline().clear();
  }

  private void leave(Throwable reason) {
    if (registered) {
      loop().channels().remove(this);
    }
    if (phase instanceof ConnectAttempt attempt) {
      attempt.promise.tryFailure(reason);
    }
    phase = null;
    endCloseFuture();
  }

  /// Sends what was written and closes when the peer ends its direction, or at a limit.
  void linger(Duration limit, long maxBytes) {
    if (phase == null) {
      phase = new Linger(this, loop(), limit, maxBytes);
    }
    on(Lifecycle.Event.LINGER);
  }

  @Override
  public void failed(Throwable cause) {
    if (life.visible != ChannelState.OPEN && life != Lifecycle.LISTENING) {
      close(Outcome.Kind.FAILED, cause);
    } else if (breakWith(cause)) {
      // A handler that is notified may write or flush. The failures of these calls are not
      // reported.
      io.stopReading();
      later(FAILED);
    }
  }

  /// Logs a failure that no handler took, and closes.
  void failUnhandled(Throwable cause) {
    System.Logger.Level level =
        cause instanceof IOException ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
    try {
      LOG.log(level, () -> "no handler took a failure of " + channel + "; it is closed", cause);
    } finally {
      if (breakWith(cause)) {
        markFailureReported();
      }
      close(Outcome.Kind.FAILED, cause); // even if the log failed
      loop().poller().unhandled(cause);
    }
  }

  // ---- what is due ----

  private void later(int what) {
    if (due == 0) {
      loop().ready(this);
    }
    due |= (byte) what;
  }

  /// Called by the loop when no caller is on the stack.
  @Override
  public void run() {
    loop().progress().event(channel);
    int now = due;
    due = 0;
    try {
      perform(now);
    } finally {
      if ((now & END) != 0) {
        end();
      }
    }
  }

  private void perform(int now) {
    if ((now & FLUSH) != 0) {
      channel.pipeline().flush();
    }
    if ((now & MESSAGE_FAILED) != 0) {
      reportMessageFailure();
    }
    if ((now & FAILED) != 0) {
      reportFailure();
    }
    if ((now & WRITABILITY) != 0) {
      notifyWritability();
    }
  }

  private void reportFailure() {
    @Nullable Throwable cause = failure();
    if (cause != null && life != Lifecycle.CLOSED) {
      markFailureReported();
      channel.pipeline().fireExceptionCaught(cause);
      close(Outcome.Kind.FAILED, cause);
    }
  }

  private void reportMessageFailure() {
    @Nullable Throwable cause = lost == null ? null : lost.failure;
    if (cause != null) {
      try {
        channel.pipeline().fireExceptionCaught(cause);
      } finally {
        lost().failure = null;
      }
    }
  }

  /// Reports the failure of one message. Further failures are only logged until the handlers have
  /// been notified of this one. Otherwise a handler that answers each failure with a message that
  /// also fails would never return.
  @Override
  public void messageFailed(Throwable cause) {
    if (lost().failure == null) {
      lost().failure = cause;
      later(MESSAGE_FAILED);
    } else {
      LOG.log(System.Logger.Level.DEBUG, "one more message of a channel failed", cause);
    }
  }

  private LostMessages lost() {
    @Nullable LostMessages made = lost;
    if (made == null) {
      made = new LostMessages();
      lost = made;
    }
    return made;
  }

  /// Flushes once after the tasks of this turn, however often it was requested.
  void flushLater() {
    later(FLUSH);
  }

  /// Performs a flush that is due: the caller's next action must follow it.
  void flushIfDue() {
    if ((due & FLUSH) != 0) {
      due &= (byte) ~FLUSH;
      channel.pipeline().flush();
    }
  }

  @Override
  public void writabilityChanged(boolean nested) {
    if (nested || notifying) {
      later(WRITABILITY);
    } else {
      notifyWritability();
    }
  }

  private void notifyWritability() {
    if (life.visible == ChannelState.OPEN) {
      notifying = true;
      channel.pipeline().fireWritabilityChanged();
      notifying = false;
    }
  }

  // ---- reading ----

  @Override
  public void received(Object message) {
    loop().progress().event(channel);
    if (life.delivers() && !isBroken()) {
      channel.pipeline().fireRead(message);
      return;
    }
    long length = Messages.memory(message);
    Messages.discard(message);
    if (phase instanceof Linger linger && !linger.discarded(length)) {
      io.stopReading();
    }
  }

  @Override
  public void readTurnEnded() {
    if (life.delivers() && !isBroken()) {
      channel.pipeline().fireReadComplete();
      if (life.delivers()) {
        loop().memoryGuard().afterRead(channel);
      }
    }
  }

  @Override
  public void inputEnded() {
    loop().progress().event(channel);
    if (!isBroken()) {
      on(Lifecycle.Event.INPUT_ENDED, Outcome.Kind.PEER_ENDED, null);
    }
  }

  void pause(Pause pause) {
    if (pause.isClosed()) {
      return;
    }
    pause.next = pauses;
    pauses = pause;
    if (pause.next == null) {
      channel.pipeline().pauseReading();
    }
  }

  void resume(Pause pause) {
    if (pause.unlinkFrom(pauses)) {
      return;
    }
    if (pauses == pause) {
      pauses = pause.next;
      if (pauses == null) {
        channel.pipeline().resumeReading();
      }
    }
  }

  /// A pause event has passed all handlers.
  void stopReading() {
    stopped = true;
    if (life.delivers()) {
      io.stopReading();
    }
  }

  @Override
  public boolean isReading() {
    return !stopped && !isBroken();
  }

  /// A resume event has passed all handlers.
  void resumeReading() {
    stopped = false;
    startReading();
  }

  private void startReading() {
    if (!stopped && life.reads() && !isBroken() && !isLingerExceeded()) {
      io.startReading();
    }
  }

  boolean isPaused() {
    return pauses != null;
  }

  List<String> pauses() {
    return Pause.reasons(pauses);
  }

  // ---- writing ----

  void write(Object message, @Nullable Promise<Void> promise) {
    Lifecycle now = life;
    if ((now.takesWrites() && !isBroken()) || now == Lifecycle.LISTENING) {
      io.write(message, promise);
    } else {
      refuse(now, message, promise);
    }
  }

  /// Counts bytes that a handler holds back with those of the transport.
  void addHeld(long bytes) {
    SettingCheck.require(bytes >= 0, "bytes", bytes, "0 or more");
    add(bytes);
    if (isOverLimit()) {
      failed(
          new IOException(
              pending()
                  + " bytes wait to be sent, of which handlers hold some, more than hardLimit, which"
                  + " is "
                  + settings.writes().hardLimit()));
    }
  }

  void removeHeld(long bytes) {
    SettingCheck.require(bytes >= 0, "bytes", bytes, "0 or more");
    remove(bytes);
    writeProgress();
  }

  private void refuse(Lifecycle now, Object message, @Nullable Promise<Void> promise) {
    if (now == Lifecycle.CLOSED || isBroken()) {
      Messages.discard(message);
      if (promise != null) {
        promise.tryFailure(now == Lifecycle.CLOSED ? closedException() : reason());
      } else {
        lost().lateWrites++; // reported with the other lost messages
      }
    } else if (now.isActive()) {
      Messages.refuse(
          this, message, promise, new IOException("our direction of the channel has ended"));
    } else {
      Messages.refuse(this, message, promise, new NotYetConnectedException());
    }
  }

  void flush() {
    if (life.visible == ChannelState.OPEN && !isBroken()) {
      io.flush();
    }
  }

  @Override
  public void sent(Promise<Void> promise) {
    loop().completions().add(promise);
  }

  @Override
  public void drained() {
    account().writeProgress();
    loop().completions().run();
  }

  void shutdownOutput() {
    on(Lifecycle.Event.END_OUTPUT);
  }

  @Override
  public void outputEnded() {
    Outcome.Kind kind = phase instanceof Linger ? Outcome.Kind.CLOSED : Outcome.Kind.PEER_ENDED;
    on(Lifecycle.Event.OUTPUT_ENDED, kind, null);
  }

  // ---- accessors ----

  @Override
  public EventLoop loop() {
    return channel.loop();
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.loop().allocator();
  }

  @Override
  public ChannelSettings settings() {
    return settings;
  }

  @Override
  public ChannelAccount account() {
    return this;
  }

  Channel channel() {
    return channel;
  }

  ChannelIo io() {
    return io;
  }

  ChannelState state() {
    return life.visible;
  }

  boolean isActive() {
    return life.isActive();
  }

  boolean isWritable() {
    return life.visible == ChannelState.OPEN && isBelowMarks();
  }

  boolean isRegistered() {
    return registered;
  }

  @Nullable SocketAddress localAddress() {
    return life == Lifecycle.CLOSED ? null : io.localAddress();
  }

  @Nullable SocketAddress remoteAddress() {
    return life == Lifecycle.CLOSED ? null : io.remoteAddress();
  }
}
