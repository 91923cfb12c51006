package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// The transport of one channel, as the channel sees it: messages go down, events come back through
/// [ChannelEvents]. A transport based on readiness and one based on completion look the same from
/// here.
///
/// - **Messages, not bytes:** [#write] takes any object. A transport fails a message that it cannot
///   write; the channel and its other messages are not affected.
/// - **Ownership:** a message belongs to the transport from [#write] on. The transport releases it
///   once nothing reads its memory any more.
/// - **Two steps of progress:** a message is *sent* when the peer will get it without further help;
///   its promise succeeds then. It is *settled* when its memory may be released, which for
///   zero-copy and completion-based transports is later.
/// - **Closing** has two steps too: [#close] disconnects the peer at once; [#abandon] follows when
///   no caller of the channel is on the stack, and fails the messages that were not sent. Neither
///   waits for messages to be settled.
///
/// Loop thread only, except for the two addresses and [#hasIndependentMessages].
public interface ChannelIo extends Endpoint {

  /// Names the receiver of all events; called once, before anything else.
  void attach(ChannelEvents events);

  /// Starts or resumes reading.
  void startReading();

  /// No further [ChannelEvents#received] until [#startReading].
  void stopReading();

  /// Queues a message. It ends with [ChannelEvents#sent], or with a failure: that of its promise,
  /// or [ChannelEvents#messageFailed] without one.
  void write(Object message, @Nullable Promise<Void> promise);

  /// Sends what was written: now, and whenever the peer takes more, until nothing flushed is left.
  void flush();

  /// Ends our direction once everything flushed is sent; [ChannelEvents#outputEnded] follows. Any
  /// number of times.
  void shutdownOutput();

  /// Disconnects; no event follows. Called once.
  void close();

  /// Fails the messages that were not sent. The last call, after [#close].
  ///
  /// @return how many of them had no promise
  int abandon(Throwable cause);

  /// Bytes of memory that were written and not sent; files count nothing.
  long pendingBytes();

  /// True if messages are independent, so that one over the hard limit fails alone. False if a lost
  /// message would leave a hole in a stream: the channel fails then. Always the same; any thread.
  default boolean hasIndependentMessages() {
    return false;
  }
}
