package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.account.ChannelAccount;
import dev.quickwater.common.Promise;
import java.util.ArrayList;
import java.util.List;

/// A channel that only notes what its transport reports. Promises succeed at once.
class TestEvents extends ChannelAccount implements ChannelEvents {

  final List<Object> messages = new ArrayList<>();
  final List<Throwable> failures = new ArrayList<>();
  final List<Boolean> writability = new ArrayList<>();
  private final ChannelSettings settings;

  TestEvents() {
    this(ChannelSettings.DEFAULT);
  }

  TestEvents(ChannelSettings settings) {
    this.settings = settings;
  }

  @Override
  public EventLoop loop() {
    throw new AssertionError("no loop here");
  }

  @Override
  public ByteBufAllocator allocator() {
    return ByteBufAllocator.shared();
  }

  @Override
  public ChannelSettings settings() {
    return settings;
  }

  @Override
  public ChannelAccount account() {
    return this;
  }

  @Override
  public void writabilityChanged(boolean nested) {
    writability.add(isBelowMarks());
  }

  @Override
  public void received(Object message) {
    messages.add(message);
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
    failures.add(cause);
  }

  @Override
  public void failed(Throwable cause) {
    failures.add(cause);
  }
}
