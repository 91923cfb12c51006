package dev.quickwater.channel;

import dev.quickwater.common.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Handles the events of a channel. Inbound events travel from the transport to the end of the
/// pipeline, outbound events from there to the transport.
///
/// - **Every method has a default** that passes the event on. The pipeline inspects each class once
///   and skips handlers that do not override the method of an event.
/// - **Thread:** all methods run on the channel's loop.
/// - **Ownership:** the handler that receives a message owns it: it passes the message on, keeps
///   it, or releases it. The tail of the pipeline releases what no handler took.
/// - **Failure:** an exception from a method becomes an [#exceptionCaught] event that starts at the
///   same handler. A failure that no handler takes is logged and closes the channel.
/// - **One pipeline:** a handler object belongs to one pipeline, unless [#isShareable] returns
///   true. Adding it to a second pipeline is refused.
public interface ChannelHandler {

  /// True if this object may be in several pipelines, on several loops, at the same time.
  default boolean isShareable() {
    return false;
  }

  /// The handler was added. This is its first call.
  default void handlerAdded(HandlerContext context) throws Exception {}

  /// The handler was removed. This is its last call: the handler releases what it still holds.
  default void handlerRemoved(HandlerContext context) throws Exception {}

  /// The channel is connected or listens. Called once.
  default void channelActive(HandlerContext context) throws Exception {
    context.fireChannelActive();
  }

  /// The channel is closed. Called once, after every other event of the channel, and never from
  /// inside a call of another handler method.
  default void channelInactive(HandlerContext context) throws Exception {
    context.fireChannelInactive();
  }

  /// Handles an inbound message.
  default void channelRead(HandlerContext context, Object message) throws Exception {
    context.fireChannelRead(message);
  }

  /// The transport has delivered all messages of one read. A good time to flush.
  default void channelReadComplete(HandlerContext context) throws Exception {
    context.fireChannelReadComplete();
  }

  /// The peer has ended its direction. Without [ChannelSettings#halfClose] the channel closes next.
  default void channelInputClosed(HandlerContext context) throws Exception {
    context.fireChannelInputClosed();
  }

  /// [Channel#isWritable] has changed, and may have changed back since.
  default void channelWritabilityChanged(HandlerContext context) throws Exception {
    context.fireChannelWritabilityChanged();
  }

  /// An event that one handler sends to others.
  default void userEvent(HandlerContext context, Object event) throws Exception {
    context.fireUserEvent(event);
  }

  /// A handler threw, or the transport failed.
  default void exceptionCaught(HandlerContext context, Throwable cause) throws Exception {
    context.fireExceptionCaught(cause);
  }

  /// Writes a message. `promise` is null if the writer does not need the result.
  default void write(HandlerContext context, Object message, @Nullable Promise<Void> promise)
      throws Exception {
    context.write(message, promise);
  }

  /// Sends what was written.
  default void flush(HandlerContext context) throws Exception {
    context.flush();
  }

  /// Sends what was written, then ends our direction.
  default void shutdownOutput(HandlerContext context) throws Exception {
    context.shutdownOutput();
  }

  /// Stops reading, because the first [Pause] is held. A handler that does not pass this event on
  /// keeps the transport reading, as TLS does during its handshake.
  default void pauseReading(HandlerContext context) throws Exception {
    context.pauseReading();
  }

  /// Resumes reading, because the last [Pause] was closed.
  default void resumeReading(HandlerContext context) throws Exception {
    context.resumeReading();
  }

  /// Sends what was written, then closes; see [Channel#closeGracefully]. A protocol with a closing
  /// message writes the message first and then passes this event on.
  default void closeGracefully(HandlerContext context, Duration limit, long maxBytes)
      throws Exception {
    context.closeGracefully(limit, maxBytes);
  }

  /// Closes the channel at once.
  default void close(HandlerContext context) throws Exception {
    context.close();
  }
}
