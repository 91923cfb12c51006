package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;

/// What a transport tells its channel. Loop thread only. Any of these calls may close the channel:
/// after each one the transport looks whether it is still open.
public interface ChannelEvents {

  /// Where receive buffers come from.
  ByteBufAllocator allocator();

  /// The channel's settings.
  ChannelSettings settings();

  /// What is to be sent.
  OutboundBuffer outbound();

  /// Bytes came in; the channel takes the buffer over.
  void received(ByteBuf bytes);

  /// A connection came in on a listening socket; the channel takes it over.
  void accepted(AcceptedSocket socket);

  /// What one readiness gave is through.
  void readTurnEnded();

  /// The peer has ended its direction. At most once, after the last [#received].
  void inputEnded();

  /// The connection is up.
  void connected();

  /// The connection could not be made.
  void connectFailed(Throwable cause);

  /// The kernel has taken some of what was flushed, or all.
  void writeProgress();

  /// The socket is broken.
  void failed(Throwable cause);

  /// The loop ends: the channel closes.
  void loopEnding();
}
