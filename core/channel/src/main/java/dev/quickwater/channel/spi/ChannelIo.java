package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// The transport of one channel. The channel passes messages to it; events return through
/// [ChannelEvents]. The interface is the same for transports based on readiness and on completion.
///
/// - **Messages, not bytes:** [#write] takes any object. A transport fails a message of a type that
///   it cannot write; the channel and its other messages are not affected.
/// - **Ownership:** the transport owns a message from [#write] on and releases it once nothing
///   reads its memory.
/// - **Two steps of progress:** a message is *sent* when the peer will receive it without further
///   action; its promise succeeds then. A message is *settled* when its memory may be released,
///   which is later for zero-copy and completion-based transports.
/// - **Two steps of closing:** [#close] disconnects the peer at once. [#abandon] follows when no
///   caller of the channel is on the stack, and fails the unsent messages. Neither waits for
///   messages to be settled.
///
/// Loop thread only, except for the two addresses and [#hasIndependentMessages].
public interface ChannelIo extends Endpoint {

  /// Sets the receiver of all events. Called once, before anything else.
  void attach(ChannelEvents events);

  /// Starts or resumes reading.
  void startReading();

  /// Stops reading: no [ChannelEvents#received] until [#startReading].
  void stopReading();

  /// Queues a message. When the message is sent, its promise is passed to [ChannelEvents#sent]. If
  /// the message fails, its promise fails; without a promise, [ChannelEvents#messageFailed] is
  /// called.
  void write(Object message, @Nullable Promise<Void> promise);

  /// Sends what was written, now and whenever the peer takes more.
  void flush();

  /// Ends our direction once everything flushed is sent. [ChannelEvents#outputEnded] follows. Any
  /// number of times.
  void shutdownOutput();

  /// Disconnects. No event follows. Called once.
  void close();

  /// Fails the unsent messages. The last call, after [#close].
  ///
  /// @return the number of failed messages without a promise
  int abandon(Throwable cause);

  /// Bytes of memory that were written and not sent. Files count as 0.
  long pendingBytes();

  /// True if messages are independent: one over the hard limit fails alone. False if a lost message
  /// would leave a gap in a stream: the channel fails then. Constant; any thread.
  default boolean hasIndependentMessages() {
    return false;
  }
}
