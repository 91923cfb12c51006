package dev.quickwater.channel;

import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.common.AttributeKey;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A connection or a listening socket, with its pipeline.
///
/// - **Thread:** [#write], [#flush], [#close] and [#pauseReading] may be called from any thread.
///   Off the loop each becomes a task of the loop; the calls of one thread keep their order. The
///   other methods state their thread.
/// - **Ownership:** `write` takes ownership of the message, whether or not it is sent.
/// - **Off-loop writes count at once:** [#isWritable] and the hard limit include a message from the
///   call of `write` on. The off-loop flushes of one loop turn are merged into one flush after the
///   tasks of the turn. The flush includes messages that were written later in the turn.
/// - **Errors** are reported once: to the promise of the write, or without a promise by an
///   exception event of the pipeline. When the channel closes, one exception event, a
///   [LostMessagesException], reports all lost messages without a promise.
/// - **Closing** disconnects the peer at once; unsent messages fail. Later, when no handler is on
///   the stack, the handlers see the channel inactive and are removed. [#closeGracefully] and
///   [#closeAfterFlush] send first.
public final class Channel {

  private static final VarHandle ATTRIBUTES;

  static {
    try {
      ATTRIBUTES =
          MethodHandles.lookup().findVarHandle(Channel.class, "attributes", AttributeMap.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final AttributeKey<SocketAddress> REPLACED_ADDRESS =
      AttributeKey.named("channel.remoteAddress");

  private final EventLoop loop;
  private final Pipeline pipeline;
  private final ChannelCore core;

  /// Null until it is first requested.
  private volatile @Nullable AttributeMap attributes;

  /// True while a task that reports an exceeded hard limit is queued.
  private volatile boolean refusalReported;

  Channel(EventLoop loop, ChannelIo io, ChannelSettings settings) {
    this.loop = loop;
    this.pipeline = new Pipeline(this);
    this.core = new ChannelCore(this, io, settings);
  }

  /// Creates a channel on a connected transport, runs the initializer and starts to read. Called by
  /// transports, and by protocols whose streams are channels. Loop only.
  ///
  /// @throws Exception from the initializer; the channel is closed then
  public static Channel open(
      EventLoop loop, ChannelIo io, ChannelSettings settings, ChannelInitializer initializer)
      throws Exception {
    Channel channel = new Channel(loop, io, settings);
    channel.requireLoop();
    try {
      channel.core.register(initializer);
      channel.core.open();
    } catch (Throwable t) {
      channel.transportClose(t);
      throw t;
    }
    return channel;
  }

  /// The loop that owns this channel.
  public EventLoop loop() {
    return loop;
  }

  /// The handlers.
  public Pipeline pipeline() {
    return pipeline;
  }

  /// The attributes that parts of the program have attached to this channel. Closing the channel
  /// keeps them. Any thread.
  public AttributeMap attributes() {
    @Nullable AttributeMap made = attributes;
    return made != null ? made : makeAttributes();
  }

  private AttributeMap makeAttributes() {
    AttributeMap made = new AttributeMap();
    @Nullable AttributeMap first = (AttributeMap) ATTRIBUTES.compareAndExchange(this, null, made);
    return first == null ? made : first;
  }

  /// The settings of this channel.
  public ChannelSettings settings() {
    return core.settings();
  }

  /// The state; exact on the loop.
  public ChannelState state() {
    return core.state();
  }

  /// True while the channel is connected or listens; exact on the loop.
  public boolean isActive() {
    return core.isActive();
  }

  /// True while the channel takes more output. Becomes false above the high water mark, and true
  /// again at the low water mark. Includes the calling thread's writes at once. Any thread.
  public boolean isWritable() {
    return core.isWritable();
  }

  /// The number of unsent bytes in the transport, flushed or not. Loop only.
  public long pendingBytes() {
    return core.io().pendingBytes();
  }

  /// How the channel ended; null while the channel is not closed. Any thread.
  public @Nullable Outcome outcome() {
    return core.outcome();
  }

  /// The address that the socket is bound to; null if the socket is unbound or closed.
  public @Nullable SocketAddress localAddress() {
    return core.localAddress();
  }

  /// The peer's address, or the one that replaced it; null for a listening channel.
  public @Nullable SocketAddress remoteAddress() {
    @Nullable SocketAddress actual = core.remoteAddress();
    @Nullable AttributeMap attached = attributes;
    @Nullable SocketAddress replaced =
        actual == null || attached == null ? null : attached.get(REPLACED_ADDRESS);
    return replaced == null ? actual : replaced;
  }

  /// Replaces the address that [#remoteAddress] returns, by that of the client behind a proxy.
  /// Limits and logs then apply to the client. Any thread.
  public void replaceRemoteAddress(SocketAddress address) {
    attributes().set(REPLACED_ADDRESS, address);
  }

  /// Succeeds once the channel is closed and its handlers are removed.
  public Future<Void> closeFuture() {
    return core.closeFuture();
  }

  /// Writes a message; a failure becomes an exception event of the pipeline. Any thread.
  public void write(Object message) {
    write(message, null);
  }

  /// Writes a message. `promise` succeeds when the message is sent, or fails. Before the channel is
  /// open it fails with [java.nio.channels.NotYetConnectedException]. Any thread.
  public void write(Object message, @Nullable Promise<Void> promise) {
    Objects.requireNonNull(message, "message");
    if (loop.inLoop()) {
      pipeline.write(message, promise);
    } else {
      submitWrite(new OffLoopWrite(core, message, promise, false));
    }
  }

  /// Sends what was written. Any thread.
  public void flush() {
    if (loop.inLoop()) {
      pipeline.flush();
    } else {
      submit(core::flushLater);
    }
  }

  /// [#write(Object)] and [#flush] in one task. Any thread.
  public void writeAndFlush(Object message) {
    writeAndFlush(message, null);
  }

  /// [#write(Object, Promise)] and [#flush] in one task. Any thread.
  public void writeAndFlush(Object message, @Nullable Promise<Void> promise) {
    Objects.requireNonNull(message, "message");
    if (loop.inLoop()) {
      pipeline.write(message, promise);
      pipeline.flush();
    } else {
      submitWrite(new OffLoopWrite(core, message, promise, true));
    }
  }

  /// Counts the message before its task is queued. Over the hard limit the message fails; the
  /// channel fails too, unless its messages are independent.
  private void submitWrite(OffLoopWrite write) {
    if (!core.account().submit(write.cost())) {
      IOException overLimit =
          new IOException(
              (core.account().pending() + write.cost())
                  + " bytes wait to be sent, more than hardLimit, which is "
                  + settings().writes().hardLimit());
      boolean reported = write.refuse(overLimit);
      if (!core.io().hasIndependentMessages()) {
        reportRefusal(() -> core.failed(overLimit));
      } else if (!reported) {
        reportRefusal(() -> core.messageFailed(overLimit));
      }
    } else if (!submit(write)) {
      write.abandoned(new ClosedChannelException());
    }
  }

  /// Queues at most one report: a producer that ignores refusals must not fill the loop's queue.
  private void reportRefusal(Runnable report) {
    if (!refusalReported) {
      refusalReported = true;
      submit(() -> {
        refusalReported = false;
        report.run();
      });
    }
  }

  /// Sends what was written, then ends our direction. Any thread.
  public void shutdownOutput() {
    onLoop(pipeline::shutdownOutput);
  }

  /// Closes at once; unsent messages fail. Any thread, any number of times.
  public void close() {
    onLoop(pipeline::close);
  }

  /// Sends what was written, then closes without waiting for the peer. A peer that is still sending
  /// may see a reset and lose the end of the output; [#closeGracefully] avoids the loss. Any
  /// thread.
  public void closeAfterFlush() {
    closeGracefully(Duration.ZERO, Long.MAX_VALUE);
  }

  /// Sends what was written, ends our direction, discards further input, and closes when the peer
  /// has ended its direction. The stall timeout limits the sending. After that the channel waits
  /// for the peer at most `limit`, then closes. A peer that is still sending can therefore read our
  /// last message instead of getting a reset (RFC 9112 section 9.6).
  ///
  /// The channel discards at most `maxBytes`. Above this limit it stops reading, and closes when
  /// the output was sent. The cause of its [#outcome] is then a [LingerLimitException]. Any thread.
  public void closeGracefully(Duration limit, long maxBytes) {
    onLoop(() -> pipeline.closeGracefully(limit, maxBytes));
  }

  /// Runs a command on the loop, after the flushes that were requested before it.
  private void onLoop(Runnable command) {
    if (loop.inLoop()) {
      core.flushIfDue();
      command.run();
    } else {
      submit(() -> {
        core.flushIfDue();
        command.run();
      });
    }
  }

  /// Stops reading until the returned pause and all others are closed. `reason` names the holder in
  /// [#pauses] and in logs. Any thread.
  public Pause pauseReading(String reason) {
    Pause pause = new Pause(this, reason);
    if (loop.inLoop()) {
      core.pause(pause);
    } else {
      submit(() -> core.pause(pause));
    }
    return pause;
  }

  void endPause(Pause pause) {
    if (loop.inLoop()) {
      core.resume(pause);
    } else {
      submit(() -> core.resume(pause));
    }
  }

  /// True while a pause is held. Loop only.
  public boolean isReadingPaused() {
    return core.isPaused();
  }

  /// The reasons of the pauses that are held, newest first. Loop only.
  public List<String> pauses() {
    requireLoop();
    return core.pauses();
  }

  /// Sets a socket option. Loop only.
  ///
  /// @throws UnsupportedOperationException if the transport does not support the option
  /// @throws ClosedChannelException if the channel is closed
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    openIo().setOption(option, value);
  }

  /// Reads a socket option. Loop only.
  ///
  /// @throws UnsupportedOperationException if the transport does not support the option
  /// @throws ClosedChannelException if the channel is closed
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return openIo().getOption(option);
  }

  /// The transport of a channel that is not closed. The descriptor of a closed channel may already
  /// belong to another channel.
  ChannelIo openIo() throws ClosedChannelException {
    requireLoop();
    if (core.state() == ChannelState.CLOSED) {
      throw new ClosedChannelException();
    }
    return core.io();
  }

  ChannelCore core() {
    return core;
  }

  private boolean submit(Runnable task) {
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException _) {
      return false; // the loop and its channels have ended
    }
  }

  void requireLoop() {
    if (!loop.inLoop()) {
      throw new IllegalStateException(
          "only the channel's loop, "
              + loop.name()
              + ", may do this; called by "
              + Thread.currentThread().getName());
    }
  }

  void requireLoopOrUnregistered() {
    if (core.isRegistered()) {
      requireLoop();
    }
  }

  // ---- the transport's end of the pipeline ----

  void transportWrite(Object message, @Nullable Promise<Void> promise) {
    core.write(message, promise);
  }

  void transportFlush() {
    core.flush();
  }

  void transportShutdownOutput() {
    core.shutdownOutput();
  }

  void transportClose(@Nullable Throwable cause) {
    core.close(cause == null ? Outcome.Kind.CLOSED : Outcome.Kind.FAILED, cause);
  }

  void failUnhandled(Throwable cause) {
    core.failUnhandled(cause);
  }

  @Override
  public String toString() {
    return "Channel[" + state() + ", " + localAddress() + " - " + remoteAddress() + "]";
  }
}
