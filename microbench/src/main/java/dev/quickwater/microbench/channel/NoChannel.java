package dev.quickwater.microbench.channel;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.account.ChannelAccount;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;

/// What an output needs of a channel, without one: settings and an account.
final class NoChannel extends ChannelAccount implements ChannelEvents {

  @Override
  public EventLoop loop() {
    throw new IllegalStateException("no loop");
  }

  @Override
  public ByteBufAllocator allocator() {
    return ByteBufAllocator.shared();
  }

  @Override
  public ChannelSettings settings() {
    return ChannelSettings.DEFAULT;
  }

  @Override
  public ChannelAccount account() {
    return this;
  }

  @Override
  public void writabilityChanged(boolean nested) {}

  @Override
  public void received(Object message) {
    Messages.discard(message);
  }

  @Override
  public void readTurnEnded() {}

  @Override
  public void inputEnded() {}

  @Override
  public void connected() {}

  @Override
  public void sent(Promise<Void> promise) {
    promise.trySuccess(null);
  }

  @Override
  public void drained() {
    writeProgress();
  }

  @Override
  public void outputEnded() {}

  @Override
  public void messageFailed(Throwable cause) {
    throw new IllegalStateException(cause);
  }

  @Override
  public void failed(Throwable cause) {
    throw new IllegalStateException(cause);
  }
}
