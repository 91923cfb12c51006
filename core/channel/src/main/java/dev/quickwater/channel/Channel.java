package dev.quickwater.channel;

import dev.quickwater.channel.spi.ChannelIo;
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

/// What bytes or messages pass through: one connection, or one listening socket, with its pipeline.
///
/// - **Thread:** [#write], [#flush], [#close] and [#pauseReading] may be called from any thread and
///   keep each caller's order; off the loop they become tasks of it. The other methods state their
///   thread.
/// - **Ownership:** `write` takes ownership of the message, whether or not it is sent.
/// - **Off-loop writes count at once:** [#isWritable] and the hard limit include a message from the
///   call of `write` on. Off-loop flushes of one turn of the loop are one, after the tasks of the
///   turn; it also sends what was written after them.
/// - **Errors** are reported once: to the promise of the write if it has one, otherwise by one
///   exception event of the pipeline. Messages without promise that are lost when the channel
///   closes are reported by one exception event in all, a [LostMessagesException].
/// - **Closing** is immediate for the peer: what was not sent fails. The handlers see the channel
///   inactive and are removed later, when no call of theirs is on the stack. [#closeGracefully] and
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

  private final EventLoop loop;
  private final Pipeline pipeline;
  private final ChannelCore core;

  /// Null until it is first requested.
  private volatile @Nullable AttributeMap attributes;

  Channel(EventLoop loop, ChannelIo io, ChannelSettings settings) {
    this.loop = loop;
    this.pipeline = new Pipeline(this);
    this.core = new ChannelCore(this, io, settings);
  }

  /// Makes a channel on a transport that is connected already: for transports and for protocols
  /// whose streams are channels. Runs the initializer and starts to read. Loop only.
  ///
  /// @throws Exception what the initializer threw; the channel is closed then
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

  /// What parts of the program have attached to this channel; made when it is first asked for. Any
  /// thread. It is the channel's as long as there is one: closing does not empty it.
  public AttributeMap attributes() {
    @Nullable AttributeMap made = attributes;
    return made != null ? made : makeAttributes();
  }

  private AttributeMap makeAttributes() {
    AttributeMap made = new AttributeMap();
    @Nullable AttributeMap first = (AttributeMap) ATTRIBUTES.compareAndExchange(this, null, made);
    return first == null ? made : first;
  }

  /// How this channel behaves.
  public ChannelSettings settings() {
    return core.settings();
  }

  /// Where it is in its life; exact on the loop.
  public ChannelState state() {
    return core.state();
  }

  /// True while it is connected or listens; exact on the loop.
  public boolean isActive() {
    return core.isActive();
  }

  /// False from the time at which more than the high water mark waits to be sent until no more than
  /// the low water mark waits. Any thread; a thread's own writes are included at once.
  public boolean isWritable() {
    return core.isWritable();
  }

  /// Bytes that the transport has not sent, flushed or not. Loop only.
  public long pendingBytes() {
    return core.io().pendingBytes();
  }

  /// How the channel ended, or null while it has not closed. Any thread.
  public @Nullable Outcome outcome() {
    return core.outcome();
  }

  /// The address the socket is bound to; null when it is not, or is closed.
  public @Nullable SocketAddress localAddress() {
    return core.localAddress();
  }

  /// The peer's address; null for a listening channel.
  public @Nullable SocketAddress remoteAddress() {
    return core.remoteAddress();
  }

  /// Succeeds once the channel is closed and its handlers were removed.
  public Future<Void> closeFuture() {
    return core.closeFuture();
  }

  /// Writes a message; a failure becomes an exception event of the pipeline. Any thread.
  public void write(Object message) {
    write(message, null);
  }

  /// Writes a message; `promise` ends when the message is sent, or with the failure. Before the
  /// channel is open this is [java.nio.channels.NotYetConnectedException]. Any thread.
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

  /// Counts the message before its task is queued; over the hard limit the channel fails instead.
  private void submitWrite(OffLoopWrite write) {
    if (!core.account().submit(write.cost())) {
      IOException overLimit =
          new IOException(
              (core.account().pending() + write.cost())
                  + " bytes wait to be sent, more than hardLimit, which is "
                  + settings().writes().hardLimit());
      write.refuse(overLimit);
      submit(() -> core.failed(overLimit));
    } else if (!submit(write)) {
      write.abandoned(new ClosedChannelException());
    }
  }

  /// Sends what was written, then ends our direction. Any thread.
  public void shutdownOutput() {
    onLoop(pipeline::shutdownOutput);
  }

  /// Closes at once; what was not sent fails. Any thread, any number of times.
  public void close() {
    onLoop(pipeline::close);
  }

  /// Sends what was written, then closes without waiting for the peer. A peer that is still sending
  /// may see a reset and lose the end of what was sent; [#closeGracefully] avoids that. Any thread.
  public void closeAfterFlush() {
    closeGracefully(Duration.ZERO, Long.MAX_VALUE);
  }

  /// Sends what was written, ends our direction, and closes when the peer has ended its direction;
  /// what comes in meanwhile is discarded. With our direction ended, it closes after `limit`, or
  /// when more than `maxBytes` were discarded; until then the stall timeout limits the sending. A
  /// peer that is still sending thus reads our last message instead of a reset (RFC 9112 section
  /// 9.6). Any thread.
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

  /// Stops reading until the returned pause, and every other, is closed. `reason` names the holder
  /// in [#pauses] and in logs. Any thread.
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

  /// The reasons of the pauses that are held, the newest first. Loop only.
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

  /// The descriptor of a closed channel may belong to another channel by now.
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
      return false; // the loop has ended, and its channels with it
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
