package dev.quickwater.channel;

import dev.quickwater.common.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Sees the events of a channel: inbound from the transport towards the end of the pipeline,
/// outbound from there towards the transport.
///
/// - **Every method has a default** that passes the event on. The pipeline finds out once per class
///   which methods are overridden and skips handlers that do not want an event.
/// - **Thread:** all methods run on the channel's loop.
/// - **Ownership:** the handler that receives a message owns it: it passes the message on, keeps
///   it, or releases it. The tail of the pipeline releases what no handler took.
/// - **Failure:** what a method throws becomes an [#exceptionCaught] event that starts at the same
///   handler. One that no handler takes is logged and closes the channel.
/// - **One pipeline:** a handler object belongs to one pipeline, unless [#isShareable] returns
///   true. Adding it to a second one is refused.
public interface ChannelHandler {

  /// True if this object may be in several pipelines, on several loops, at the same time.
  default boolean isShareable() {
    return false;
  }

  /// The handler is in the pipeline; the first call it gets.
  default void handlerAdded(HandlerContext context) throws Exception {}

  /// The handler is out of the pipeline; the last call it gets. It releases here what it still
  /// holds.
  default void handlerRemoved(HandlerContext context) throws Exception {}

  /// The channel is connected, or listens. Once.
  default void channelActive(HandlerContext context) throws Exception {
    context.fireChannelActive();
  }

  /// The channel is closed. Once, after everything else of the channel, and not from inside a call
  /// of another handler method.
  default void channelInactive(HandlerContext context) throws Exception {
    context.fireChannelInactive();
  }

  /// A message has come in.
  default void channelRead(HandlerContext context, Object message) throws Exception {
    context.fireChannelRead(message);
  }

  /// The messages that one readiness of the transport gave are through: a good time to flush.
  default void channelReadComplete(HandlerContext context) throws Exception {
    context.fireChannelReadComplete();
  }

  /// The peer has ended its direction. Without [ChannelSettings#halfClose] the channel closes next.
  default void channelInputClosed(HandlerContext context) throws Exception {
    context.fireChannelInputClosed();
  }

  /// The answer of [Channel#isWritable] has changed; it may have changed back since.
  default void channelWritabilityChanged(HandlerContext context) throws Exception {
    context.fireChannelWritabilityChanged();
  }

  /// A notification from one handler to others.
  default void userEvent(HandlerContext context, Object event) throws Exception {
    context.fireUserEvent(event);
  }

  /// A handler threw, or the transport failed.
  default void exceptionCaught(HandlerContext context, Throwable cause) throws Exception {
    context.fireExceptionCaught(cause);
  }

  /// A message goes out. `promise` is null if the writer does not want the result.
  default void write(HandlerContext context, Object message, @Nullable Promise<Void> promise)
      throws Exception {
    context.write(message, promise);
  }

  /// What was written so far is to be sent.
  default void flush(HandlerContext context) throws Exception {
    context.flush();
  }

  /// What was written is to be sent, and then our direction ends.
  default void shutdownOutput(HandlerContext context) throws Exception {
    context.shutdownOutput();
  }

  /// The channel is to stop reading because the first [Pause] is held. A handler that does not pass
  /// this on keeps the transport reading, as TLS does during its handshake.
  default void pauseReading(HandlerContext context) throws Exception {
    context.pauseReading();
  }

  /// The channel is to read again because the last [Pause] was closed.
  default void resumeReading(HandlerContext context) throws Exception {
    context.resumeReading();
  }

  /// What was written is to be sent before the channel closes; see [Channel#closeGracefully]. A
  /// protocol says goodbye here, and passes this on when the peer has been told.
  default void closeGracefully(HandlerContext context, Duration limit, long maxBytes)
      throws Exception {
    context.closeGracefully(limit, maxBytes);
  }

  /// The channel is to be closed at once.
  default void close(HandlerContext context) throws Exception {
    context.close();
  }
}
