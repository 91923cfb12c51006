package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;

/// Replaces the channel until one is attached. An event before is a fault of the transport.
enum NoEvents implements ChannelEvents {
  INSTANCE;

  /// Replaces the output until a channel is attached; it never gets a message.
  static final StreamOutput OUTPUT = new StreamOutput(INSTANCE);

  private static IllegalStateException notAttached() {
    return new IllegalStateException("an event came before a channel was attached");
  }

  @Override
  public EventLoop loop() {
    throw notAttached();
  }

  @Override
  public ByteBufAllocator allocator() {
    throw notAttached();
  }

  @Override
  public ChannelSettings settings() {
    throw notAttached();
  }

  @Override
  public WriteAccount account() {
    throw notAttached();
  }

  @Override
  public void received(Object message) {
    Messages.discard(message);
    throw notAttached();
  }

  @Override
  public void readTurnEnded() {
    throw notAttached();
  }

  @Override
  public void inputEnded() {
    throw notAttached();
  }

  @Override
  public void connected() {
    throw notAttached();
  }

  @Override
  public void sent(Promise<Void> promise) {
    throw notAttached();
  }

  @Override
  public void drained() {
    throw notAttached();
  }

  @Override
  public void outputEnded() {
    throw notAttached();
  }

  @Override
  public void messageFailed(Throwable cause) {
    throw notAttached();
  }

  @Override
  public void failed(Throwable cause) {
    throw new IllegalStateException("a failure came before a channel was attached", cause);
  }
}
