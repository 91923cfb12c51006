package dev.quickwater.channel;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.common.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A handler's place in a pipeline: `fire...` passes an inbound event on, the other methods send an
/// outbound event towards the transport, each to the next handler that wants it.
///
/// All methods are for the channel's loop and throw [IllegalStateException] elsewhere; from other
/// threads use [Channel]. A context of a removed handler still passes events on from where it was.
public final class HandlerContext {

  private static final int REMOVED = 1 << 31;

  final Pipeline pipeline;
  final ChannelHandler handler;
  final @Nullable String name;

  /// The events that the handler wants, see [HandlerMask]; of a removed handler [#REMOVED] alone.
  int mask;

  @Nullable HandlerContext previous;
  @Nullable HandlerContext next;

  /// The loop's thread, once a call has come from there: the check of the thread is one load then.
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

  /// What is kept for the handler's class; not a field, because there are many contexts.
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

  /// The loop's allocator; for the loop's thread.
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

  /// Passes a message on, and with it its ownership.
  public void fireChannelRead(Object message) {
    requireLoop();
    pipeline.fireRead(next, message);
  }

  /// Passes on that a batch of messages is through.
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

  /// Writes a message; `promise` ends when it was sent, or failed.
  public void write(Object message, @Nullable Promise<Void> promise) {
    requireLoop();
    pipeline.write(previous, message, promise);
  }

  /// Counts bytes that the handler holds back, such as plaintext that waits for a handshake, with
  /// those that wait to be sent: [Channel#isWritable] and the hard limit include them. A handler
  /// that holds a message of another thread calls this before it returns from `write`, and the
  /// message is counted once throughout.
  ///
  /// The call may report that the channel is not writable.
  ///
  /// @param bytes 0 or more; [#removeHeldBytes] must follow for as many
  public void addHeldBytes(long bytes) {
    requireLoop();
    pipeline.channel.core().addHeld(bytes);
  }

  /// Ends the count of bytes that the handler has held back, after it has written or dropped them.
  /// If the channel becomes writable, its handlers are notified later.
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

  /// Passes on that the channel is to stop reading.
  public void pauseReading() {
    requireLoop();
    pipeline.pauseReading(previous);
  }

  /// Passes on that the channel is to read again.
  public void resumeReading() {
    requireLoop();
    pipeline.resumeReading(previous);
  }

  /// Sends what was written, then closes; see [Channel#closeGracefully].
  public void closeGracefully(Duration limit, long maxBytes) {
    requireLoop();
    pipeline.closeGracefully(previous, limit, maxBytes);
  }

  /// Closes the channel at once; what was not sent fails.
  public void close() {
    requireLoop();
    pipeline.close(previous);
  }
}
