package dev.quickwater.channel;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.common.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A handler's place in a pipeline. The `fire...` methods pass an inbound event to the next handler
/// that wants it; the other methods send an outbound event to the next such handler towards the
/// transport.
///
/// All methods throw [IllegalStateException] outside the channel's loop; other threads use
/// [Channel]. The context of a removed handler still passes events on from its former place.
public final class HandlerContext {

  private static final int REMOVED = 1 << 31;

  final Pipeline pipeline;
  final ChannelHandler handler;
  final @Nullable String name;

  /// The events that the handler wants, see [HandlerMask]; [#REMOVED] alone for a removed handler.
  int mask;

  @Nullable HandlerContext previous;
  @Nullable HandlerContext next;

  /// The loop's thread, cached by the first call on it. Later checks of the thread read only this
  /// field.
  private @Nullable Thread owner;

  HandlerContext(Pipeline pipeline, ChannelHandler handler, @Nullable String name) {
    this.pipeline = pipeline;
    this.handler = handler;
    this.name = name;
    this.mask = HandlerMask.of(handler.getClass()).bits;
  }

  private void requireLoop() {
    Thread current = Thread.currentThread();
    if (current != owner) {
      pipeline.requireLoop();
      owner = current;
    }
  }

  boolean isRemoved() {
    return mask == REMOVED;
  }

  void markRemoved() {
    mask = REMOVED;
  }

  /// The [HandlerMask] of the handler's class. Looked up on each call and not stored, to save
  /// memory in each context.
  HandlerMask kind() {
    return HandlerMask.of(handler.getClass());
  }

  /// The channel of the pipeline.
  public Channel channel() {
    return pipeline.channel;
  }

  /// The pipeline.
  public Pipeline pipeline() {
    return pipeline;
  }

  /// The handler at this place.
  public ChannelHandler handler() {
    return handler;
  }

  /// The loop's allocator.
  public ByteBufAllocator allocator() {
    return pipeline.channel.loop().allocator();
  }

  /// Passes on that the channel is active.
  public void fireChannelActive() {
    requireLoop();
    pipeline.fireActive(next);
  }

  /// Passes on that the channel is closed.
  public void fireChannelInactive() {
    requireLoop();
    pipeline.fireInactive(next);
  }

  /// Passes a message on; the next handler owns it.
  public void fireChannelRead(Object message) {
    requireLoop();
    pipeline.fireRead(next, message);
  }

  /// Passes on that the messages of one read were delivered.
  public void fireChannelReadComplete() {
    requireLoop();
    pipeline.fireReadComplete(next);
  }

  /// Passes on that the peer has ended its direction.
  public void fireChannelInputClosed() {
    requireLoop();
    pipeline.fireInputClosed(next);
  }

  /// Passes on that the writability has changed.
  public void fireChannelWritabilityChanged() {
    requireLoop();
    pipeline.fireWritabilityChanged(next);
  }

  /// Passes on an event that handlers send to each other.
  public void fireUserEvent(Object event) {
    requireLoop();
    pipeline.fireUserEvent(next, event);
  }

  /// Passes a failure on.
  public void fireExceptionCaught(Throwable cause) {
    requireLoop();
    pipeline.fireException(next, cause);
  }

  /// Writes a message without a promise; a failure becomes an exception event of the pipeline.
  public void write(Object message) {
    write(message, null);
  }

  /// Writes a message. `promise` succeeds when the message is sent, or fails.
  public void write(Object message, @Nullable Promise<Void> promise) {
    requireLoop();
    pipeline.write(previous, message, promise);
  }

  /// Counts bytes that the handler holds back, for example plaintext during a handshake, as waiting
  /// to be sent. [Channel#isWritable] and the hard limit include them. If another thread wrote the
  /// message, the handler calls this before its `write` method returns. The message is then counted
  /// exactly once at any time.
  ///
  /// The call may report that the channel is not writable.
  ///
  /// @param bytes 0 or more; pass the same number to [#removeHeldBytes] later
  public void addHeldBytes(long bytes) {
    requireLoop();
    pipeline.channel.core().addHeld(bytes);
  }

  /// Stops counting bytes that the handler held back and has written or dropped. If the channel
  /// becomes writable, its handlers are notified later.
  public void removeHeldBytes(long bytes) {
    requireLoop();
    pipeline.channel.core().removeHeld(bytes);
  }

  /// Sends what was written.
  public void flush() {
    requireLoop();
    pipeline.flush(previous);
  }

  /// [#write(Object)] and [#flush].
  public void writeAndFlush(Object message) {
    write(message, null);
    flush();
  }

  /// Sends what was written, then ends our direction.
  public void shutdownOutput() {
    requireLoop();
    pipeline.shutdownOutput(previous);
  }

  /// Passes on the request to stop reading.
  public void pauseReading() {
    requireLoop();
    pipeline.pauseReading(previous);
  }

  /// Passes on the request to resume reading.
  public void resumeReading() {
    requireLoop();
    pipeline.resumeReading(previous);
  }

  /// Sends what was written, then closes; see [Channel#closeGracefully].
  public void closeGracefully(Duration limit, long maxBytes) {
    requireLoop();
    pipeline.closeGracefully(previous, limit, maxBytes);
  }

  /// Closes the channel at once; unsent messages fail.
  public void close() {
    requireLoop();
    pipeline.close(previous);
  }
}
