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
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// What bytes or messages pass through: one connection, or one listening socket, with its pipeline.
///
/// - **Thread:** [#write], [#flush], [#close], [#pauseReading] and [#resumeReading] may be called
///   from any thread and keep each caller's order; off the loop they become tasks of it. The rest
///   says where it belongs.
/// - **Ownership:** `write` takes the message over, whatever comes of it.
/// - **Errors** are reported once: to the promise of the write where there is one, otherwise as one
///   exception event of the pipeline.
/// - Closing is immediate: what was not sent fails. [#closeGracefully] sends it first.
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
  private final ChannelEngine engine;

  /// Null until somebody asks for it.
  private volatile @Nullable AttributeMap attributes;

  Channel(EventLoop loop, ChannelIo io, ChannelSettings settings) {
    this.loop = loop;
    this.pipeline = new Pipeline(this);
    this.engine = new ChannelEngine(this, io, settings);
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
      channel.engine.register(initializer);
      channel.engine.open();
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
    return engine.settings();
  }

  /// Where it is in its life; exact on the loop.
  public ChannelState state() {
    return engine.state();
  }

  /// True while it is connected or listens; exact on the loop.
  public boolean isActive() {
    ChannelState state = engine.state();
    return state == ChannelState.OPEN
        || state == ChannelState.LISTENING
        || state == ChannelState.LINGERING;
  }

  /// False while more than the high water mark waits to be sent; exact on the loop.
  public boolean isWritable() {
    return engine.isWritable();
  }

  /// Bytes that were flushed and the kernel has not taken. Loop only.
  public long flushedBytes() {
    return engine.outbound().flushedBytes();
  }

  /// Bytes that wait to be sent, flushed or not. Loop only.
  public long pendingBytes() {
    return engine.outbound().pendingBytes();
  }

  /// The address the socket is bound to; null when it is not, or is closed.
  public @Nullable SocketAddress localAddress() {
    return engine.localAddress();
  }

  /// The peer's address; null for a listening channel.
  public @Nullable SocketAddress remoteAddress() {
    return engine.remoteAddress();
  }

  /// Succeeds once the channel is closed, whoever closed it.
  public Future<Void> closeFuture() {
    return engine.closeFuture();
  }

  /// Writes a message; a failure becomes an exception event of the pipeline. Any thread.
  public void write(Object message) {
    write(message, null);
  }

  /// Writes a message; `promise` ends when the kernel has taken it, or with the failure. Any
  /// thread.
  public void write(Object message, @Nullable Promise<Void> promise) {
    if (loop.inLoop()) {
      pipeline.write(message, promise);
    } else if (!submit(() -> pipeline.write(message, promise))) {
      ChannelEngine.refuse(message, promise, new ClosedChannelException());
    }
  }

  /// Sends what was written. Any thread.
  public void flush() {
    if (loop.inLoop()) {
      pipeline.flush();
    } else {
      submit(pipeline::flush);
    }
  }

  /// [#write(Object)] and [#flush] in one task. Any thread.
  public void writeAndFlush(Object message) {
    writeAndFlush(message, null);
  }

  /// [#write(Object, Promise)] and [#flush] in one task. Any thread.
  public void writeAndFlush(Object message, @Nullable Promise<Void> promise) {
    if (loop.inLoop()) {
      pipeline.write(message, promise);
      pipeline.flush();
    } else if (!submit(() -> writeAndFlush(message, promise))) {
      ChannelEngine.refuse(message, promise, new ClosedChannelException());
    }
  }

  /// Sends what was written, then ends our direction. Any thread.
  public void shutdownOutput() {
    if (loop.inLoop()) {
      pipeline.shutdownOutput();
    } else {
      submit(pipeline::shutdownOutput);
    }
  }

  /// Closes at once; what was not sent fails. Any thread, any number of times.
  public void close() {
    if (loop.inLoop()) {
      pipeline.close();
    } else {
      submit(pipeline::close);
    }
  }

  /// Sends what was written, ends our direction, and closes when the peer has ended its own; what
  /// comes in meanwhile is dropped. With our direction ended, it closes after `limit`, or
  /// `mostBytes` dropped, without further waiting; until then the stall timeout watches over the
  /// sending. A peer that is still sending thus gets to read our last words instead of a reset (RFC
  /// 9112 section 9.6). Any thread.
  public void closeGracefully(Duration limit, long mostBytes) {
    if (loop.inLoop()) {
      engine.linger(limit, mostBytes);
    } else {
      submit(() -> engine.linger(limit, mostBytes));
    }
  }

  /// Adds a reason not to read. Any thread.
  public void pauseReading(PauseReason reason) {
    if (loop.inLoop()) {
      engine.pause(reason);
    } else {
      submit(() -> engine.pause(reason));
    }
  }

  /// Takes a reason away; without any left, reading goes on. Any thread.
  public void resumeReading(PauseReason reason) {
    if (loop.inLoop()) {
      engine.resume(reason);
    } else {
      submit(() -> engine.resume(reason));
    }
  }

  /// True while some reason keeps the channel from reading. Loop only.
  public boolean isReadingPaused() {
    return engine.isPaused();
  }

  /// Sets a socket option. Loop only.
  ///
  /// @throws UnsupportedOperationException if the transport does not know it
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    requireLoop();
    engine.io().setOption(option, value);
  }

  /// Reads a socket option. Loop only.
  ///
  /// @throws UnsupportedOperationException if the transport does not know it
  public <T> T getOption(SocketOption<T> option) throws IOException {
    requireLoop();
    return engine.io().getOption(option);
  }

  ChannelEngine engine() {
    return engine;
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
          "this is for the channel's loop, "
              + loop.name()
              + ", not for "
              + Thread.currentThread().getName());
    }
  }

  void requireLoopOrUnregistered() {
    if (engine.isRegistered()) {
      requireLoop();
    }
  }

  // ---- the transport's end of the pipeline ----

  void transportWrite(Object message, @Nullable Promise<Void> promise) {
    engine.write(message, promise);
  }

  void transportFlush() {
    engine.flush();
  }

  void transportShutdownOutput() {
    engine.shutdownOutput();
  }

  void transportClose(@Nullable Throwable cause) {
    engine.close(cause);
  }

  void failUnhandled(Throwable cause) {
    engine.failUnhandled(cause);
  }

  @Override
  public String toString() {
    return "Channel[" + state() + ", " + localAddress() + " - " + remoteAddress() + "]";
  }
}
