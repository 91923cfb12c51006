package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;

/// Stands in until a channel is attached; an event before that is a fault of the transport.
enum NoEvents implements ChannelEvents {
  IT;

  private static IllegalStateException early() {
    return new IllegalStateException("an event came before a channel was attached");
  }

  @Override
  public ByteBufAllocator allocator() {
    throw early();
  }

  @Override
  public ChannelSettings settings() {
    throw early();
  }

  @Override
  public OutboundBuffer outbound() {
    throw early();
  }

  @Override
  public void received(ByteBuf bytes) {
    bytes.release();
    throw early();
  }

  @Override
  public void accepted(AcceptedSocket socket) {
    socket.close();
    throw early();
  }

  @Override
  public void readTurnEnded() {
    throw early();
  }

  @Override
  public void inputEnded() {
    throw early();
  }

  @Override
  public void connected() {
    throw early();
  }

  @Override
  public void connectFailed(Throwable cause) {
    throw early();
  }

  @Override
  public void writeProgress() {
    throw early();
  }

  @Override
  public void failed(Throwable cause) {
    throw new IllegalStateException("a failure came before a channel was attached", cause);
  }

  @Override
  public void loopEnding() {}
}
