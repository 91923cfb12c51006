package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;

/// What a transport reports to its channel. Loop thread only. [#received], [#readTurnEnded],
/// [#inputEnded] and [#connected] run handlers, which may close the channel: after each of them the
/// transport checks whether it is still open. No other event runs a handler before it returns,
/// except that adding to the [#account] may report that the channel is not writable.
public interface ChannelEvents {

  /// The loop of the channel.
  EventLoop loop();

  /// The allocator of receive buffers.
  ByteBufAllocator allocator();

  /// The channel's settings.
  ChannelSettings settings();

  /// The count of what waits to be sent. The transport adds what it queues and removes what was
  /// sent.
  WriteAccount account();

  /// False while reading is stopped. A transport that takes several messages at once stops after
  /// the one in which a handler has paused, and keeps the others.
  default boolean isReading() {
    return true;
  }

  /// A message came in; the channel takes ownership of it. Streams pass a
  /// [dev.quickwater.buffer.ByteBuf], listening sockets an [AcceptedSocket].
  void received(Object message);

  /// The messages that one readiness gave have been passed on.
  void readTurnEnded();

  /// The peer has ended its direction. At most once, after the last [#received].
  void inputEnded();

  /// The connection is up.
  void connected();

  /// The message of `promise` was sent. The channel completes the promise in [#drained].
  void sent(Promise<Void> promise);

  /// The transport has sent what it could: completes promises and updates writability. Not to be
  /// called while the transport is changing what it has queued.
  void drained();

  /// Our direction has ended, as [ChannelIo#shutdownOutput] requested.
  void outputEnded();

  /// A message without a promise failed. The channel stays open.
  void messageFailed(Throwable cause);

  /// The channel is broken: it closes after its handlers were notified. The transport delivers
  /// nothing more.
  void failed(Throwable cause);
}
