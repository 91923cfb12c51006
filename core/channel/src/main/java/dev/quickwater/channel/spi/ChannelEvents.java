package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;

/// The events that a transport reports to its channel. Loop thread only.
///
/// [#received], [#readTurnEnded], [#inputEnded] and [#connected] run handlers, and a handler may
/// close the channel. After each of these calls a transport checks whether it was closed. The other
/// methods run no handler before they return. [WriteAccount#add] may run handlers, because it may
/// report that the channel is unwritable.
public interface ChannelEvents {

  /// The loop of the channel.
  EventLoop loop();

  /// The allocator of receive buffers.
  ByteBufAllocator allocator();

  /// The channel's settings.
  ChannelSettings settings();

  /// The account of the bytes that wait to be sent. The transport adds what it queues and removes
  /// what was sent.
  WriteAccount account();

  /// False while reading is stopped. A transport that reads several messages at once stops
  /// delivering when this becomes false, and keeps the remaining messages.
  default boolean isReading() {
    return true;
  }

  /// Delivers a message; the channel takes ownership. Streams deliver a
  /// [dev.quickwater.buffer.ByteBuf], listening sockets an [AcceptedSocket].
  void received(Object message);

  /// All messages of one read were delivered.
  void readTurnEnded();

  /// The peer has ended its direction. At most once, after the last [#received].
  void inputEnded();

  /// The connection is up.
  void connected();

  /// The message of `promise` was sent. The channel completes the promise in [#drained].
  void sent(Promise<Void> promise);

  /// The transport has finished a series of writes. The channel now completes the promises of sent
  /// messages and updates the writability. Must not be called while the transport changes its
  /// queue.
  void drained();

  /// Our direction has ended, as [ChannelIo#shutdownOutput] requested.
  void outputEnded();

  /// A message without a promise failed. The channel stays open.
  void messageFailed(Throwable cause);

  /// The channel is broken: it closes after its handlers were notified. The transport delivers
  /// nothing more.
  void failed(Throwable cause);
}
