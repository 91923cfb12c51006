package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;

/// Stands in until a channel is attached; an event before that is a fault of the transport.
enum NoEvents implements ChannelEvents {
  IT;

  /// Stands in for the output, to which no message comes before a channel is attached.
  static final StreamOutput OUTPUT = new StreamOutput(IT);

  private static IllegalStateException early() {
    return new IllegalStateException("an event came before a channel was attached");
  }

  @Override
  public EventLoop loop() {
    throw early();
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
  public WriteAccount account() {
    throw early();
  }

  @Override
  public void received(Object message) {
    Messages.discard(message);
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
  public void sent(Promise<Void> promise) {
    throw early();
  }

  @Override
  public void drained() {
    throw early();
  }

  @Override
  public void outputEnded() {
    throw early();
  }

  @Override
  public void messageFailed(Throwable cause) {
    throw early();
  }

  @Override
  public void failed(Throwable cause) {
    throw new IllegalStateException("a failure came before a channel was attached", cause);
  }
}
